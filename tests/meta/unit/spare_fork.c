// SPDX-License-Identifier: GPL-2.0-only
/* The harness's second fork for a case is none; all others are, and end as they say. */
#include "kselftest_harness.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pair/spare_fork.h"

/* What the processes found, where all of them can write it. */
struct notes {
	pid_t first;
	pid_t second;
	pid_t of_test;
	int status_of_test;
};

/* As a test does that needs another process. */
static void be_test(struct notes *notes)
{
	pid_t child = fork();

	if (!child) {
		notes->of_test = getpid();
		_exit(0);
	}
	waitpid(child, &notes->status_of_test, 0);
}

/* As the harness does for a case. */
static int run_case(struct notes *notes)
{
	int status = -1;
	pid_t child = fork();

	if (!child) {
		notes->first = getpid();
		child = fork();
		if (!child) {
			notes->second = getpid();
			be_test(notes);
			_exit(0);
		}
		waitpid(child, NULL, 0);
		_exit(3);
	}
	waitpid(child, &status, 0);
	return status;
}

FIXTURE(processes) {
	struct notes *notes;
};

FIXTURE_SETUP(processes)
{
	self->notes = mmap(NULL, sizeof(*self->notes), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->notes);
}

FIXTURE_TEARDOWN(processes)
{
	munmap(self->notes, sizeof(*self->notes));
}

TEST_F(processes, two_forks_unless_spared)
{
	int status = run_case(self->notes);

	EXPECT_NE(self->notes->first, self->notes->second);
	EXPECT_EQ(3, WEXITSTATUS(status));
}

TEST_F(processes, one_fork_if_spared)
{
	int status;

	spare_forks(true);
	status = run_case(self->notes);
	EXPECT_EQ(self->notes->first, self->notes->second);
	/* No case began, so that it cannot have passed. */
	ASSERT_TRUE(WIFEXITED(status));
	EXPECT_EQ(EXIT_FAILURE, WEXITSTATUS(status));
}

TEST_F(processes, forks_of_the_test_stay)
{
	spare_forks(true);
	run_case(self->notes);
	EXPECT_NE(self->notes->second, self->notes->of_test);
	EXPECT_NE(0, self->notes->of_test);
	EXPECT_EQ(0, self->notes->status_of_test);
}

TEST_F(processes, none_once_it_is_over)
{
	spare_forks(true);
	run_case(self->notes);
	spare_forks(false);
	run_case(self->notes);
	EXPECT_NE(self->notes->first, self->notes->second);
}

TEST_F(processes, each_case_is_spared_one)
{
	spare_forks(true);
	for (int i = 0; i < 3; i++) {
		run_case(self->notes);
		EXPECT_EQ(self->notes->first, self->notes->second);
		EXPECT_NE(getpid(), self->notes->first);
	}
}

TEST_HARNESS_MAIN

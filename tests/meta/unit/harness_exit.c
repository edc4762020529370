// SPDX-License-Identifier: GPL-2.0-only
/* exit() comes back where its status is asked for, and nowhere else. */
#include "kselftest_harness.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pair/harness_exit.h"

static int leave(int argc, char **argv)
{
	exit(atoi(argv[argc - 1]));
}

static int come_back(int argc, char **argv)
{
	return atoi(argv[argc - 1]);
}

/* As a case does: how its process ends is told by ours. */
static int leave_in_fork(int argc, char **argv)
{
	int status;
	pid_t child = fork();

	if (!child)
		leave(argc, argv);
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) + 1 : -1;
}

static char *words[] = { "program", "5", NULL };

TEST(both_ends_of_a_harness)
{
	EXPECT_EQ(5, harness_exit_status(leave, 2, words));
	EXPECT_EQ(5, harness_exit_status(come_back, 2, words));
	EXPECT_EQ(5, harness_exit_status(leave, 2, words));
}

TEST(forks_end_with_it)
{
	EXPECT_EQ(6, harness_exit_status(leave_in_fork, 2, words));
}

TEST(outside_it_ends_the_process)
{
	int status;
	pid_t child = fork();

	if (!child) {
		harness_exit_status(leave, 2, words);
		exit(7);
	}
	waitpid(child, &status, 0);
	ASSERT_TRUE(WIFEXITED(status));
	EXPECT_EQ(7, WEXITSTATUS(status));
}

TEST_HARNESS_MAIN

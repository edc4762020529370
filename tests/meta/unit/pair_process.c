// SPDX-License-Identifier: GPL-2.0-only
/* Programs share a process where that can be, and each ends as it does alone. */
#include "kselftest_harness.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pair/pair_process.h"
#include "pair/pool.h"
#include "pair/program.h"

/* What the programs note, and what is to be done in them. */
static struct {
	pid_t pid;
	pid_t left;
	char variable[32];
	char option[8];
	int runs;
} *notes;

/* Of the linker's memory for all tests, of which this has the results. */
static int renewed;
static bool renewed_for_some;

void pool_renew(bool left_some)
{
	renewed++;
	renewed_for_some = left_some;
}

static void take_notes(int argc, char **argv)
{
	snprintf(notes->option, sizeof(notes->option), "%s", argv[argc - 1]);
	notes->pid = getpid();
	notes->runs++;
	snprintf(notes->variable, sizeof(notes->variable), "%s",
		 getenv("CTS_UNIT_PAIR") ?: "");
}

static int run_good(int argc, char **argv)
{
	take_notes(argc, argv);
	return 0;
}

static int run_bad(int argc, char **argv)
{
	take_notes(argc, argv);
	exit(3);
}

static int run_crash(int argc, char **argv)
{
	take_notes(argc, argv);
	raise(SIGKILL);
	return 0;
}

static int run_leave(int argc, char **argv)
{
	take_notes(argc, argv);
	notes->left = fork();
	if (!notes->left) {
		pause();
		_exit(0);
	}
	return 0;
}

#define PROGRAM(name_) \
	static struct clause_program program_##name_ \
	__attribute__((used, section("clause_programs"), \
		       aligned(__alignof__(struct clause_program)))) = { \
		.name = #name_, .file = #name_, .run = run_##name_, \
	}
PROGRAM(good);
PROGRAM(bad);
PROGRAM(crash);
PROGRAM(leave);

static struct program_end run_with(const char *program, const char *argument,
				   const char *pair)
{
	char *arguments[] = { (char *)program, (char *)argument, NULL };
	const struct words words = { .vector = arguments, .count = 2 };
	struct words variables = { .vector = calloc(2, sizeof(char *)), .count = 1 };
	struct program_end end;

	if (asprintf(&variables.vector[0], "CTS_UNIT_PAIR=%s", pair) < 0)
		abort();
	end = pair_process_run(&words, &variables);
	words_release(&variables);
	return end;
}

/* With "-l" a program goes to its harness at once, whatever the pair. */
static struct program_end run(const char *program, const char *pair)
{
	return run_with(program, "-l", pair);
}

FIXTURE(pair_process) {
};

FIXTURE_SETUP(pair_process)
{
	notes = mmap(NULL, sizeof(*notes), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, notes);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

FIXTURE_TEARDOWN(pair_process)
{
	pair_process_end();
	if (notes->left)
		kill(notes->left, SIGKILL);
}

static bool is_alive(pid_t pid)
{
	return !kill(pid, 0);
}

TEST_F(pair_process, programs_of_a_pair_share_it)
{
	struct program_end end = run("good", "a");
	pid_t first = notes->pid;

	EXPECT_EQ(0, end.status);
	EXPECT_FALSE(end.left_some);
	EXPECT_NE(getpid(), first);
	EXPECT_STREQ("-l", notes->option);
	end = run("bad", "a");
	EXPECT_EQ(first, notes->pid);
	ASSERT_TRUE(WIFEXITED(end.status));
	EXPECT_EQ(3, WEXITSTATUS(end.status));
	EXPECT_EQ(2, notes->runs);
	EXPECT_EQ(0, renewed);
}

TEST_F(pair_process, another_pair_has_another)
{
	pid_t first;

	run("good", "a");
	first = notes->pid;
	run("bad", "b");
	EXPECT_NE(first, notes->pid);
	EXPECT_FALSE(is_alive(first));
	EXPECT_STREQ("b", notes->variable);
	EXPECT_EQ(1, renewed);
}

TEST_F(pair_process, program_that_is_run_again_has_another)
{
	pid_t first;

	run("good", "a");
	first = notes->pid;
	run("good", "a");
	EXPECT_NE(first, notes->pid);
	EXPECT_EQ(2, notes->runs);
}

TEST_F(pair_process, crash_is_told_and_the_next_has_another)
{
	struct program_end end = run("crash", "a");
	pid_t first = notes->pid;

	ASSERT_TRUE(WIFSIGNALED(end.status));
	EXPECT_EQ(SIGKILL, WTERMSIG(end.status));
	end = run("good", "a");
	EXPECT_EQ(0, end.status);
	EXPECT_NE(first, notes->pid);
}

/* It holds all descriptors of the one that crashed, and so the socket. */
TEST_F(pair_process, crash_is_told_though_a_child_lives)
{
	struct program_end end = run("leave", "a");

	EXPECT_TRUE(end.left_some);
	end = run("crash", "a");
	EXPECT_TRUE(WIFSIGNALED(end.status));
}

TEST_F(pair_process, death_between_two_programs_is_noticed)
{
	siginfo_t info;
	pid_t first;

	run("good", "a");
	first = notes->pid;
	kill(first, SIGKILL);
	waitid(P_PID, first, &info, WEXITED | WNOWAIT);
	EXPECT_EQ(3, WEXITSTATUS(run("bad", "a").status));
	EXPECT_NE(first, notes->pid);
}

TEST_F(pair_process, what_is_left_is_told_and_told_no_more)
{
	EXPECT_TRUE(run("leave", "a").left_some);
	pair_process_end();
	EXPECT_TRUE(renewed_for_some);
	EXPECT_FALSE(is_alive(notes->pid));
}

TEST_F(pair_process, strangers_are_executed)
{
	struct program_end end = run("/bin/false", "a");

	ASSERT_TRUE(WIFEXITED(end.status));
	EXPECT_EQ(1, WEXITSTATUS(end.status));
	end = run("/nowhere/to/be/found", "a");
	EXPECT_EQ(127, WEXITSTATUS(end.status));
}

static clock_t own_time(void)
{
	struct tms times_so_far;

	times(&times_so_far);
	return times_so_far.tms_utime + times_so_far.tms_stime;
}

TEST_F(pair_process, stranger_is_waited_for_asleep)
{
	clock_t before = own_time();
	struct program_end end = run_with("/bin/sleep", "1", "a");

	EXPECT_EQ(0, end.status);
	EXPECT_GT(sysconf(_SC_CLK_TCK) / 10, own_time() - before);
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0-only
/*
 * cts-all: all conformance programs in one executable. Who has many of them to
 * run starts it once, and asks for one after the other: each runs in a fork,
 * which comes without the cost of loading and linking.
 *
 * Standard input is a socket. A request is words, a NUL behind each: how many
 * arguments there are, the arguments, the program's path first; then the same
 * for variables, NAME=VALUE. The answer is a line with two numbers: the
 * program's status as waitpid() gives it, and 1 if it has left processes behind
 * that go on, else 0. A program that is none of ours is executed.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "oracle/klog.h"
#include "pair/program.h"
#include "pair/spare_fork.h"

#define EXIT_USAGE		2
#define EXIT_CANNOT_JUDGE	125
#define EXIT_NOT_EXECUTED	127

#define POOL_SIZE		(1 << 20)
#define PIECE_ALIGNMENT		64

/*
 * Before main(), the harness maps a shared page for each test that there is:
 * here hundreds, which each fork would have to copy, and which cost more than
 * the start of a program. They get pieces of one mapping instead.
 */
static struct {
	char *start;
	size_t used;
	bool closed;
	char *fresh;		/* what is there before a program runs */
} pool;

void *__real_mmap(void *where, size_t length, int protection, int flags,
		  int fd, off_t offset);

/* The linker has calls of mmap() come here. */
void *__wrap_mmap(void *where, size_t length, int protection, int flags,
		  int fd, off_t offset)
{
	size_t size = (length + PIECE_ALIGNMENT - 1) & -PIECE_ALIGNMENT;

	if (pool.closed || flags != (MAP_SHARED | MAP_ANONYMOUS) ||
	    size > POOL_SIZE - pool.used)
		return __real_mmap(where, length, protection, flags, fd,
				   offset);
	if (!pool.start)
		pool.start = __real_mmap(NULL, POOL_SIZE, protection, flags,
					 -1, 0);
	if (pool.start == MAP_FAILED)
		return MAP_FAILED;
	pool.used += size;
	return pool.start + pool.used - size;
}

/*
 * What the harness notes there must not be seen by the next program. Who is left
 * of the last one may go on to write, and keeps the old pages for himself.
 */
static void renew_pool(bool left_some)
{
	if (!pool.used)
		return;
	if (left_some &&
	    __real_mmap(pool.start, POOL_SIZE, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) !=
	    pool.start)
		abort();
	memcpy(pool.start, pool.fresh, pool.used);
}

static void close_pool(void)
{
	pool.closed = true;
	if (!pool.used)
		return;
	pool.fresh = malloc(pool.used);
	if (!pool.fresh)
		abort();
	memcpy(pool.fresh, pool.start, pool.used);
}

struct words {
	char **vector;		/* NULL behind the last one */
	int count;
};

static char *read_word(void)
{
	char *word = NULL;
	size_t size = 0;

	if (getdelim(&word, &size, '\0', stdin) > 0)
		return word;
	free(word);
	return NULL;
}

/* Returns false at the end of the input. */
static bool read_words(struct words *words)
{
	char *count = read_word();

	if (!count)
		return false;
	*words = (struct words){ .count = atoi(count) };
	free(count);
	words->vector = calloc(words->count + 1, sizeof(char *));
	for (int i = 0; words->vector && i < words->count; i++) {
		words->vector[i] = read_word();
		if (!words->vector[i])
			return false;
	}
	return words->vector;
}

static void release_words(struct words *words)
{
	for (int i = 0; i < words->count; i++)
		free(words->vector[i]);
	free(words->vector);
}

/* As if it had been started for this alone. */
static void detach(void)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setsid();
	dup2(null, STDIN_FILENO);
	close(null);
}

/* The harness of the program that runs. */
static int (*run_harness)(int argc, char **argv);

static int run_cases(int argc, char **argv)
{
	spare_forks();
	return run_harness(argc, argv);
}

static int run_program(const struct clause_program *program, int argc,
		       char **argv)
{
	struct clause_program spared = *program;

	run_harness = program->run;
	spared.run = run_cases;
	return program_run(&spared, argc, argv);
}

static int run(struct words *arguments, struct words *variables)
{
	char **argv = arguments->vector;
	const struct clause_program *program;

	detach();
	for (int i = 0; i < variables->count; i++)
		putenv(variables->vector[i]);
	program = program_find(basename(argv[0]));
	if (program)
		return run_program(program, arguments->count, argv);
	execv(argv[0], argv);
	fprintf(stderr, "cts-all: cannot run %s: %m\n", argv[0]);
	return EXIT_NOT_EXECUTED;
}

/* Orphans of a program fall to this process. */
static bool has_left_some(void)
{
	pid_t orphan;

	do
		orphan = waitpid(-1, NULL, WNOHANG);
	while (orphan > 0);
	return orphan == 0;
}

static void serve(struct words *arguments, struct words *variables)
{
	pid_t child = fork();
	bool left_some;
	int status;

	if (child == 0)
		exit(run(arguments, variables));
	if (child < 0 || waitpid(child, &status, 0) < 0) {
		perror("cts-all: cannot start a program");
		exit(EXIT_CANNOT_JUDGE);
	}
	left_some = has_left_some();
	dprintf(STDIN_FILENO, "%d %d\n", status, left_some);
	renew_pool(left_some);
}

static int usage(FILE *to, int status)
{
	fprintf(to, "usage: cts-all\n"
		"Runs conformance programs for cts-agent, which says on standard input which ones.\n"
		"People run the programs themselves.\n");
	return status;
}

int main(int argc, char **argv)
{
	struct words arguments, variables;

	if (argc > 1)
		return strcmp(argv[1], "--help") ? usage(stderr, EXIT_USAGE) :
						   usage(stdout, EXIT_SUCCESS);
	close_pool();
	klog_prepare();
	/* What is buffered when a program is forked off would be printed twice. */
	fflush(stdout);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	while (read_words(&arguments) && read_words(&variables)) {
		if (!arguments.count)
			return usage(stderr, EXIT_USAGE);
		serve(&arguments, &variables);
		release_words(&arguments);
		release_words(&variables);
	}
	return EXIT_SUCCESS;
}

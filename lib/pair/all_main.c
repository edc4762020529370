// SPDX-License-Identifier: GPL-2.0-only
/*
 * cts-all: all conformance programs in one executable. Who has many of them to
 * run starts it once, and asks for one after the other: each runs in a fork,
 * which comes without the cost of loading and linking, and those that follow
 * each other on one pair run in the same.
 *
 * Standard input is a socket. A request is two lists of words (pair/words.h):
 * the arguments, the program's path first, and variables, NAME=VALUE. The
 * answer is a line with two numbers: the program's status as waitpid() gives it,
 * and 1 if it has left processes behind that go on, else 0. A program that is
 * none of ours is executed. A request without a word ends the process that ran
 * programs, and with it what it found out about their pair; it is answered when
 * that has ended.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "oracle/klog.h"
#include "pair/pair_process.h"
#include "pair/pool.h"

#define EXIT_USAGE		2

static void serve(struct words *arguments, struct words *variables)
{
	struct program_end end = { 0 };

	if (arguments->count)
		end = pair_process_run(arguments, variables);
	else
		pair_process_end();
	dprintf(STDIN_FILENO, "%d %d\n", end.status, end.left_some);
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
	pool_close();
	klog_prepare();
	/* What is buffered when a program is forked off would be printed twice. */
	fflush(stdout);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	while (words_read(stdin, &arguments) && words_read(stdin, &variables)) {
		serve(&arguments, &variables);
		words_release(&arguments);
		words_release(&variables);
	}
	/* Whoever waits for this one's end finds nothing of it any more. */
	pair_process_end();
	return EXIT_SUCCESS;
}

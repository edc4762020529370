/* SPDX-License-Identifier: GPL-2.0-only */
/* What cts-report was asked to do with a stream. */
#ifndef CTS_REPORT_OPTIONS_H
#define CTS_REPORT_OPTIONS_H

#include <stdbool.h>

/* Exit statuses, the same in all of the suite's commands. */
#define EXIT_EXPECTED	0
#define EXIT_UNEXPECTED	1
#define EXIT_USAGE	2
#define EXIT_NOT_JUDGED	125

struct options {
	const char *output;	/* result folder; NULL: none is written */
	const char *expected;	/* folder of expected results, or NULL */
	const char *baseline;	/* run.json of an earlier run, or NULL */
	const char *remaining;	/* where the schedule of the rest goes, or NULL */
	const char *mutants;	/* list of mutants: judge the tests, or NULL */
	bool gate;
	bool append;
	bool quiet;
};

/**
 * options_parse - read the command line
 *
 * Return: -1 to go on, else the status to exit with (after a message or help).
 */
int options_parse(struct options *options, int argc, char **argv);

#endif

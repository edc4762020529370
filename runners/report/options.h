/* SPDX-License-Identifier: GPL-2.0-only */
/* What cts-report was asked to do with a stream. */
#ifndef CTS_REPORT_OPTIONS_H
#define CTS_REPORT_OPTIONS_H

#include <stdbool.h>

#include "stream/status.h"

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

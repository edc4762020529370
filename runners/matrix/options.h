/* SPDX-License-Identifier: GPL-2.0-only */
/* What cts-matrix was asked to do. */
#ifndef CTS_MATRIX_OPTIONS_H
#define CTS_MATRIX_OPTIONS_H

#include <stdbool.h>

struct options {
	const char *verb;	/* "add", "check" or "render" */
	char *const *runs;	/* folder of each, or its run.json; ends with NULL */
	const char *clauses;	/* output of "dmabuf-cts explain --json" */
	const char *profiles;	/* of conformance; NULL: they are not shown */
	const char *drivers;	/* folder of fact files */
	const char *results;	/* folder of recorded results */
	const char *page;	/* folder of the page's parts */
	const char *format;
	bool every_check;
	bool replace;
};

/**
 * options_parse - read the command line
 *
 * Return: -1 to go on, else the status to exit with (after a message or help).
 */
int options_parse(struct options *options, int argc, char **argv);

#endif

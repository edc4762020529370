/* SPDX-License-Identifier: GPL-2.0-only */
/* What igt_runner, or somebody, asks of a test. */
#ifndef CTS_IGT_OPTIONS_H
#define CTS_IGT_OPTIONS_H

#include <stdbool.h>

enum verb { VERB_RUN, VERB_LIST, VERB_DESCRIBE, VERB_INSTALL };

struct options {
	enum verb verb;
	char *subtests;		/* patterns with commas between; NULL: all */
	const char *folder;	/* where to install */
};

/**
 * options_parse - read the command line
 *
 * Return: -1 to go on, else the status to exit with (after a message or help).
 */
int options_parse(struct options *options, int argc, char **argv);

/**
 * options_choose - whether a subtest is among those asked for
 *
 * As IGT has it: a later pattern overrules, and one that begins with '!' takes
 * away.
 */
bool options_choose(const struct options *options, const char *subtest);

#endif

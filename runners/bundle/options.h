/* SPDX-License-Identifier: GPL-2.0-only */
/* What cts-bundle was asked to do. */
#ifndef CTS_BUNDLE_OPTIONS_H
#define CTS_BUNDLE_OPTIONS_H

#include <stdbool.h>

struct options {
	const char *verb;
	const char *path;	/* run folder, or archive */
	const char *profiles;
	const char *plans;
	const char *schema;
	const char *statement;
	const char *words;
	const char *extract;
	const char *profile;
	bool private;
	bool allow_blanks;
	bool publish;
};

/**
 * options_parse - read the command line
 *
 * Return: -1 to go on, else the status to exit with (after a message or help).
 */
int options_parse(struct options *options, int argc, char **argv);

#endif

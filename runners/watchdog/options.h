/* SPDX-License-Identifier: GPL-2.0-only */
/* What cts-watchdog was asked to do. */
#ifndef CTS_WATCHDOG_OPTIONS_H
#define CTS_WATCHDOG_OPTIONS_H

/* All in seconds; 0 is for ever. */
struct options {
	int first;	/* may pass before the first output */
	int silence;	/* may pass between one output and the next */
	int total;	/* may pass until the command ends */
	char **command;	/* and its arguments, ended by NULL */
};

/**
 * options_parse - read the command line
 *
 * Return: -1 to go on, else the status to exit with (after a message or help).
 */
int options_parse(struct options *options, int argc, char **argv);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* A conformance program at work: its records and its output, line by line. */
#ifndef CTS_IGT_FOLLOW_H
#define CTS_IGT_FOLLOW_H

#include "stream/line.h"

/**
 * follow - run a program to its end
 * @arguments: its path first, NULL last
 * @record: takes the lines of its record channel
 * @output: takes the lines of its output; errors go to ours
 *
 * Return: as waitpid() gives it; -1 with errno set if it cannot be run.
 */
int follow(char *const *arguments, line_sink record, line_sink output,
	   void *context);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* A program whose words are read line by line. */
#ifndef CTS_OTHERS_CHILD_H
#define CTS_OTHERS_CHILD_H

#include "stream/line.h"

/**
 * child_run - run a program to its end
 * @arguments: its path first, NULL last
 * @sink: takes the lines of its output and errors
 *
 * Return: as waitpid() gives it; -1 with errno set if it cannot be run.
 */
int child_run(char *const *arguments, line_sink sink, void *context);

#endif

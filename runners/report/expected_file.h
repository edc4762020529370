/* SPDX-License-Identifier: GPL-2.0-only */
/* Files of expected results that are edited: what nobody touches stays as it is. */
#ifndef CTS_REPORT_EXPECTED_FILE_H
#define CTS_REPORT_EXPECTED_FILE_H

#include <stdbool.h>

#include "report/memory.h"

struct expected_file {
	const char *path;
	struct list lines;	/* as they were, const char *; "" is a blank one */
	struct list added;	/* const char * */
	bool *removed;		/* for each line */
	bool changed;
};

/**
 * expected_file_get - the file of that path, read if it is the first time
 * @files: of struct expected_file
 *
 * One that is not there begins with the usual comment.
 *
 * Return: NULL after a message on stderr.
 */
struct expected_file *expected_file_get(struct list *files, const char *path);

/* @number counts from 1, and goes on to mean the same line. */
void expected_file_remove(struct expected_file *file, int number);
void expected_file_replace(struct expected_file *file, int number,
			   const char *text);

/* Add a line at its place in the order, unless it has been added. */
void expected_file_add(struct expected_file *file, const char *text);

/**
 * expected_file_save - write what has changed
 *
 * A file without lines, and with no comment but the usual one, is removed.
 *
 * Return: true, or false after a message on stderr.
 */
bool expected_file_save(const struct expected_file *file);

#endif

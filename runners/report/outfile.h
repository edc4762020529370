/* SPDX-License-Identifier: GPL-2.0-only */
/* Files of the result folder: each line is on disk, or none of it is. */
#ifndef CTS_REPORT_OUTFILE_H
#define CTS_REPORT_OUTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct outfile {
	const char *path;
	int fd;			/* -1: not open; writes then do nothing */
	off_t length;		/* of what was written whole */
};

/**
 * outfile_open - open a file to add lines to
 * @path: must stay good as long as the file is open
 * @afresh: throw away what is there
 *
 * Return: true, or false after a message on stderr.
 */
bool outfile_open(struct outfile *file, const char *path, bool afresh);

/* Standard output, as a file to add lines to. */
void outfile_use_stdout(struct outfile *file);

/* Add text; on failure says so, once for the program, and adds nothing. */
bool outfile_write(struct outfile *file, const char *text, size_t length);

bool outfile_print(struct outfile *file, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

void outfile_close(struct outfile *file);

/**
 * outfile_replace - write a whole file, or leave the old one
 *
 * Return: true, or false after a message on stderr.
 */
bool outfile_replace(const char *path, const char *text, size_t length);

/* Whether any write failed so far. */
bool outfile_failed(void);

/* Say that a file or folder cannot be used; always false. */
bool outfile_complain(const char *path, const char *what);

#endif

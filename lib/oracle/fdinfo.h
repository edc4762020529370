/* SPDX-License-Identifier: GPL-2.0-only */
/* What /proc/self/fdinfo says of a dma-buf. */
#ifndef CTS_FDINFO_H
#define CTS_FDINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct fdinfo {
	bool has_size, has_count, has_exporter, has_name;
	size_t size;		/* bytes */
	long count;		/* references to the file */
	char exporter[64];
	char name[64];
	long long position;	/* of the file */
	unsigned int flags;	/* of the descriptor, O_* with O_CLOEXEC */
};

/**
 * fdinfo_read - read it
 * @fd: an open dma-buf
 * @info: filled; members whose line is missing have their has_ unset
 *
 * Return: 0 or a negative errno.
 */
int fdinfo_read(int fd, struct fdinfo *info);

/**
 * fdinfo_of - the same for a check: all zero if it cannot be read
 */
struct fdinfo fdinfo_of(int fd);

/**
 * fdinfo_references - how many references a dma-buf's file has
 *
 * Return: their number, -ENODATA if the kernel does not tell, or another
 * negative errno.
 */
long fdinfo_references(int fd);

/**
 * fdinfo_parse - read it from a text
 * @file: the text
 */
void fdinfo_parse(FILE *file, struct fdinfo *info);

#endif

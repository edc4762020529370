/* SPDX-License-Identifier: GPL-2.0-only */
/* The file descriptors of this process, to find those that a call left open. */
#ifndef CTS_FDS_H
#define CTS_FDS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define FDS_MAX	256

struct fds {
	int count;
	struct {
		int fd;
		dev_t device;
		ino_t inode;
	} entries[FDS_MAX];
};

/**
 * fds_take - list what is open now
 * @fds: filled
 *
 * Return: 0, -EOVERFLOW if more than FDS_MAX are open, or another negative
 * errno.
 */
int fds_take(struct fds *fds);

/**
 * fds_new - count descriptors that were not there before
 * @before: an older list
 * @after: a newer one
 * @text: where to write what they are, as "5 -> /dmabuf:, 7 -> /dev/x"
 * @size: bytes at @text
 *
 * One that was closed and opened anew on another file counts.
 *
 * Return: how many.
 */
int fds_new(const struct fds *before, const struct fds *after, char *text,
	    size_t size);

/**
 * fds_inode - the inode number of an open file
 * @fd: the file; for a dma-buf the number that bufinfo lists it by
 *
 * Return: the number, or 0 if @fd is not open.
 */
ino_t fds_inode(int fd);

#endif

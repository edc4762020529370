/* SPDX-License-Identifier: GPL-2.0-only */
/* Arguments that the kernel can read but not write its answer to. */
#ifndef CTS_READ_ONLY_H
#define CTS_READ_ONLY_H

#include <stddef.h>

/**
 * read_only_ioctl - an ioctl whose argument the kernel cannot write
 * @fd: an open file
 * @request: the ioctl
 * @argument: its argument; a copy of it is handed in
 * @size: bytes at @argument, at most a page
 *
 * Return: 0 or a positive result if the call succeeded all the same, -EFAULT
 * from a kernel that noticed, or another negative errno.
 */
int read_only_ioctl(int fd, unsigned long request, const void *argument,
		    size_t size);

#endif

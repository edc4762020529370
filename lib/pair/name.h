/* SPDX-License-Identifier: GPL-2.0-only */
/* The name that user space gives a dma-buf. */
#ifndef CTS_NAME_H
#define CTS_NAME_H

#include <errno.h>
#include <linux/dma-buf.h>
#include <sys/ioctl.h>

/**
 * set_name - DMA_BUF_SET_NAME
 * @fd: the dma-buf
 * @name: a string, or a pointer that is meant to be bad
 *
 * Return: 0 or a negative errno.
 */
static inline int set_name(int fd, const void *name)
{
	return ioctl(fd, DMA_BUF_SET_NAME_B, name) ? -errno : 0;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* The one ioctl() call of the peer wrappers: 0 or a negative errno. */
#ifndef CTS_PEER_IOCTL_H
#define CTS_PEER_IOCTL_H

#include <errno.h>
#include <linux/types.h>
#include <stdint.h>
#include <sys/ioctl.h>

/* 0 or a negative errno. */
static inline int peer_ioctl(int fd, unsigned long request, void *argument)
{
	return ioctl(fd, request, argument) < 0 ? -errno : 0;
}

/* Pointers travel as 64 bit numbers. */
static inline __u64 peer_pointer(const void *pointer)
{
	return (__u64)(uintptr_t)pointer;
}

#endif

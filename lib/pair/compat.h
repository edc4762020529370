/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ioctls as a 32-bit program makes them, from a 64-bit one: by the system
 * call entry that 32-bit programs use. x86-64 has such an entry.
 */
#ifndef CTS_COMPAT_H
#define CTS_COMPAT_H

#include <stdbool.h>
#include <stddef.h>

/**
 * compat_works - whether this machine and kernel run 32-bit system calls
 */
bool compat_works(void);

/**
 * compat_memory - memory that a 32-bit pointer reaches
 * @size: bytes
 *
 * Return: the memory, for munmap(); NULL if there is none.
 */
void *compat_memory(size_t size);

/**
 * compat_ioctl - ioctl() of a 32-bit program
 * @fd: an open file
 * @request: the ioctl, as a 32-bit program numbers it
 * @argument: below 4 GiB
 *
 * Return: 0, a positive result, or a negative errno; -ENOSYS where
 * compat_works() is false.
 */
long compat_ioctl(int fd, unsigned int request, void *argument);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* CPU access to a dma-buf, as user space is meant to do it: mmap and SYNC. */
#ifndef CTS_CPU_H
#define CTS_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * cpu_sync - DMA_BUF_IOCTL_SYNC, again while it is interrupted
 * @fd: the dma-buf
 * @flags: DMA_BUF_SYNC_START or _END with _READ, _WRITE or _RW
 *
 * Return: 0 or a negative errno.
 */
int cpu_sync(int fd, uint64_t flags);

/**
 * cpu_sync_once - DMA_BUF_IOCTL_SYNC, told as it is when interrupted
 * @fd: the dma-buf
 * @flags: as above, or any others
 *
 * Return: 0 or a negative errno.
 */
int cpu_sync_once(int fd, uint64_t flags);

/**
 * cpu_write, cpu_read - copy bytes through mmap() with SYNC around the copy
 * @fd: the dma-buf
 * @size: bytes in the whole buffer
 * @offset: bytes from its start
 * @data: the bytes
 * @length: how many
 *
 * Return: 0, -EINVAL for a range outside the buffer, or the errno of mmap()
 * or SYNC.
 */
int cpu_write(int fd, size_t size, size_t offset, const void *data,
	      size_t length);
int cpu_read(int fd, size_t size, size_t offset, void *data, size_t length);

/**
 * in_range - whether a range lies inside a buffer
 */
static inline bool in_range(size_t size, size_t offset, size_t length)
{
	return offset <= size && length <= size - offset;
}

#endif

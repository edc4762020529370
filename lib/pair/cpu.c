// SPDX-License-Identifier: GPL-2.0-only
/* CPU access to a dma-buf by mmap() and DMA_BUF_IOCTL_SYNC. */
#include "pair/cpu.h"

#include <errno.h>
#include <linux/dma-buf.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

int cpu_sync_once(int fd, uint64_t flags)
{
	struct dma_buf_sync sync = { .flags = flags };

	return ioctl(fd, DMA_BUF_IOCTL_SYNC, &sync) ? -errno : 0;
}

int cpu_sync(int fd, uint64_t flags)
{
	int ret;

	do {
		ret = cpu_sync_once(fd, flags);
	} while (ret == -EINTR || ret == -EAGAIN);
	return ret;
}

typedef void (*cpu_access)(char *view, void *data, size_t length);

static void store(char *view, void *data, size_t length)
{
	memcpy(view, data, length);
}

static void load(char *view, void *data, size_t length)
{
	memcpy(data, view, length);
}

static int bracketed(int fd, size_t size, size_t offset, void *data,
		     size_t length, cpu_access access)
{
	bool writes = access == store;
	uint64_t flags = writes ? DMA_BUF_SYNC_WRITE : DMA_BUF_SYNC_READ;
	char *view;
	int ret;

	if (!in_range(size, offset, length))
		return -EINVAL;
	view = mmap(NULL, size, writes ? PROT_READ | PROT_WRITE : PROT_READ,
		    MAP_SHARED, fd, 0);
	if (view == MAP_FAILED)
		return -errno;
	ret = cpu_sync(fd, DMA_BUF_SYNC_START | flags);
	if (ret)
		goto unmap_view;
	access(view + offset, data, length);
	ret = cpu_sync(fd, DMA_BUF_SYNC_END | flags);
unmap_view:
	munmap(view, size);
	return ret;
}

int cpu_write(int fd, size_t size, size_t offset, const void *data,
	      size_t length)
{
	return bracketed(fd, size, offset, (void *)data, length, store);
}

int cpu_read(int fd, size_t size, size_t offset, void *data, size_t length)
{
	return bracketed(fd, size, offset, data, length, load);
}

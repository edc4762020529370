// SPDX-License-Identifier: GPL-2.0-only
#include "pair/read_only.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

int read_only_ioctl(int fd, unsigned long request, const void *argument,
		    size_t size)
{
	size_t page = sysconf(_SC_PAGESIZE);
	void *copy;
	int ret;

	if (size > page)
		return -EINVAL;
	copy = mmap(NULL, page, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (copy == MAP_FAILED)
		return -errno;
	memcpy(copy, argument, size);
	ret = mprotect(copy, page, PROT_READ);
	if (!ret)
		ret = ioctl(fd, request, copy);
	if (ret < 0)
		ret = -errno;
	munmap(copy, page);
	return ret;
}

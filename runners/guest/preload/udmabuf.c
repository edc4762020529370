// SPDX-License-Identifier: GPL-2.0-only
/*
 * Preloaded into QEMU, whose virtio-gpu shows guests no blob resources, and so
 * no import of foreign buffers, on a host whose /dev/udmabuf it cannot open.
 * What QEMU wants of it is to see scattered memory in one piece. That needs no
 * kernel: here a list of udmabuf items becomes a descriptor that, when it is
 * mapped, is a row of mappings of the items. Where the node can be opened it
 * is left to the kernel.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/udmabuf.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NODE		"/dev/udmabuf"
#define BUFFERS_MAX	1024
#define ITEMS_MAX	65536

/* In place of the node, and in place of the buffers made with it. */
static int node = -1;
static struct udmabuf_create_list *buffers[BUFFERS_MAX];	/* by descriptor */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int new_descriptor(void)
{
	return syscall(SYS_memfd_create, "udmabuf", MFD_CLOEXEC);
}

int open64(const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode;
	int fd;

	va_start(arguments, flags);
	mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
	va_end(arguments);
	fd = syscall(SYS_openat, AT_FDCWD, path, flags, mode);
	if (fd >= 0 || strcmp(path, NODE))
		return fd;
	node = new_descriptor();
	return node;
}

static struct udmabuf_create_list *copy_list(const struct udmabuf_create_list *list)
{
	size_t size = sizeof(*list) + list->count * sizeof(list->list[0]);
	struct udmabuf_create_list *copy = NULL;

	if (list->count && list->count <= ITEMS_MAX)
		copy = malloc(size);
	return copy ? memcpy(copy, list, size) : NULL;
}

static int create(const struct udmabuf_create_list *list)
{
	struct udmabuf_create_list *copy = copy_list(list);
	int fd = copy ? new_descriptor() : -1;

	if (fd >= BUFFERS_MAX) {
		syscall(SYS_close, fd);
		fd = -1;
	}
	if (fd < 0) {
		free(copy);
		errno = ENOMEM;
		return -1;
	}
	pthread_mutex_lock(&lock);
	buffers[fd] = copy;
	pthread_mutex_unlock(&lock);
	return fd;
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list arguments;
	void *argument;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	if (fd >= 0 && fd == node && request == UDMABUF_CREATE_LIST)
		return create(argument);
	return syscall(SYS_ioctl, fd, request, argument);
}

static void *map(void *address, size_t length, int protection, int flags,
		 int fd, off64_t offset)
{
	return (void *)syscall(SYS_mmap, address, length, protection, flags,
			       fd, offset);
}

/* Its items in a row; MAP_FAILED, with nothing mapped, if one cannot be. */
static void *map_items(const struct udmabuf_create_list *list, size_t length,
		       int protection)
{
	char *memory = map(NULL, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);
	size_t done = 0;

	if (memory == MAP_FAILED)
		return MAP_FAILED;
	for (unsigned int i = 0; i < list->count && done < length; i++) {
		const struct udmabuf_create_item *item = &list->list[i];

		if (item->size > length - done ||
		    map(memory + done, item->size, protection,
			MAP_SHARED | MAP_FIXED, item->memfd,
			item->offset) == MAP_FAILED)
			break;
		done += item->size;
	}
	if (done == length)
		return memory;
	munmap(memory, length);
	errno = EINVAL;
	return MAP_FAILED;
}

void *mmap64(void *address, size_t length, int protection, int flags, int fd,
	     off64_t offset)
{
	void *memory = NULL;

	if (fd >= 0 && fd < BUFFERS_MAX) {
		pthread_mutex_lock(&lock);
		if (buffers[fd])
			memory = map_items(buffers[fd], length, protection);
		pthread_mutex_unlock(&lock);
	}
	return memory ? memory : map(address, length, protection, flags, fd,
				     offset);
}

int close(int fd)
{
	if (fd >= 0 && fd < BUFFERS_MAX) {
		pthread_mutex_lock(&lock);
		free(buffers[fd]);
		buffers[fd] = NULL;
		pthread_mutex_unlock(&lock);
	}
	return syscall(SYS_close, fd);
}

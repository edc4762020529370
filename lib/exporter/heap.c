// SPDX-License-Identifier: GPL-2.0-only
/*
 * DMA-BUF heaps: every node in /dev/dma_heap is an instance. Static memory,
 * no pin operation, never moves.
 */
#include "exporter/exporter.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-heap.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pair/errno_text.h"
#include "pair/read_only.h"

#define FOLDER	"/dev/dma_heap"

/* Which kernel driver stands behind a heap; its name alone tells. */
static const char *driver_of(const char *heap)
{
	if (!strncmp(heap, "system", strlen("system")))
		return "system_heap";
	if (!strncmp(heap, "protected", strlen("protected")))
		return "tee_heap";
	return "cma_heap";
}

static int allocate(int heap, size_t size, unsigned int flags)
{
	struct dma_heap_allocation_data data = {
		.len = size,
		.fd_flags = flags & BUFFER_READ_ONLY ? O_RDONLY : O_RDWR,
	};

	if (!(flags & BUFFER_NO_CLOEXEC))
		data.fd_flags |= O_CLOEXEC;
	return ioctl(heap, DMA_HEAP_IOCTL_ALLOC, &data) ? -errno : (int)data.fd;
}

/*
 * A heap of protected memory has no mmap operation, which the core answers
 * with EINVAL. Any other failure is for the tests to find.
 */
static int learn_access(struct exporter *exporter)
{
	struct backend *backend = &exporter->backend;
	size_t page = sysconf(_SC_PAGESIZE);
	int fd = allocate(exporter->control, page, 0);
	void *view;

	if (fd < 0) {
		backend_reason(backend, "an allocation of one page failed: %s",
			       errno_text(fd));
		return fd;
	}
	view = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (view == MAP_FAILED && errno == EINVAL) {
		backend->capabilities &= ~NEEDS(EXPORTER_MMAPS, EXPORTER_FILLS);
		backend_note(backend, "no CPU access: its buffers have no mmap");
	}
	if (view != MAP_FAILED)
		munmap(view, page);
	close(fd);
	return 0;
}

static void explain_no_heaps(struct backend *backend)
{
	backend_reason(backend, "no folder " FOLDER);
	backend_needs_module(backend, "system_heap", "CONFIG_DMABUF_HEAPS_SYSTEM");
}

static int open_node(struct exporter *exporter, const char *instance)
{
	struct backend *backend = &exporter->backend;
	char path[300];

	if (!instance)
		instance = "system";
	backend_start(backend, "heap", instance);
	backend_set_driver(backend, driver_of(instance));
	if (access(FOLDER, F_OK)) {
		explain_no_heaps(backend);
		return -ENODEV;
	}
	snprintf(path, sizeof(path), FOLDER "/%s", instance);
	if (!backend_needs_node(backend, path, "this kernel has no such heap"))
		return -ENODEV;
	exporter->control = open(path, O_RDWR | O_CLOEXEC);
	if (exporter->control < 0)
		return -errno;
	backend->capabilities = NEEDS(EXPORTER_MAPS, EXPORTER_MMAPS,
				      EXPORTER_FILLS, EXPORTER_TAKES_CLOEXEC,
				      EXPORTER_HEAP);
	return 0;
}

static void discover(backend_report report, void *context)
{
	DIR *folder = opendir(FOLDER);
	struct dirent *entry;
	int found = 0;

	while (folder && (entry = readdir(folder))) {
		if (entry->d_name[0] == '.')
			continue;
		exporter_report("heap", entry->d_name, report, context);
		found++;
	}
	if (folder)
		closedir(folder);
	if (!found)
		exporter_report("heap", "system", report, context);
}

static int alloc(struct exporter *exporter, const struct buffer_spec *spec,
		 struct buffer *buffer)
{
	int fd;

	if (!spec_is_plain(spec, BUFFER_READ_ONLY | BUFFER_NO_CLOEXEC))
		return -EOPNOTSUPP;
	fd = allocate(exporter->control, spec->size, spec->flags);
	if (fd < 0)
		return fd;
	buffer->fd = fd;
	return 0;
}

static int alloc_unanswered(struct exporter *exporter, size_t size)
{
	const struct dma_heap_allocation_data data = {
		.len = size,
		.fd_flags = O_RDWR | O_CLOEXEC,
	};

	return read_only_ioctl(exporter->control, DMA_HEAP_IOCTL_ALLOC, &data,
			       sizeof(data));
}

const struct exporter_ops heap_exporter_ops = {
	.name = "heap",
	.discover = discover,
	.open = open_node,
	.learn = learn_access,
	.alloc = alloc,
	.alloc_unanswered = alloc_unanswered,
};

// SPDX-License-Identifier: GPL-2.0-only
/*
 * User space as importer: no device is attached, the CPU maps the dma-buf and
 * brackets each access by SYNC.
 */
#include "importer/importer.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pair/cpu.h"
#include "pair/kernel.h"

struct view {
	int fd;			/* our own, for SYNC */
	char *start;		/* of the mapping: of the whole buffer */
	size_t size;
};

static int open_uapi(struct importer *importer, const char *instance)
{
	struct backend *backend = &importer->backend;

	if (instance) {
		backend_reason(backend, "uapi has no instances: leave out \":%s\"",
			       instance);
		return -EINVAL;
	}
	snprintf(backend->driver, sizeof(backend->driver), "user space");
	snprintf(backend->version, sizeof(backend->version), "%s",
		 kernel_release());
	backend->ours = true;
	backend->capabilities = NEEDS(IMPORTER_CPU, IMPORTER_MOVES_BYTES);
	backend_note(backend, "CPU only: attaches no device");
	return 0;
}

static void discover(backend_report report, void *context)
{
	importer_report("uapi", NULL, report, context);
}

static int import_buffer(struct importer *importer, int fd, size_t offset,
			 size_t length, unsigned int access,
			 struct import *import)
{
	int protection = access & IMPORT_WRITE ? PROT_READ | PROT_WRITE : PROT_READ;
	struct view *view = malloc(sizeof(*view));
	int ret;

	(void)importer;
	if (!view)
		return -ENOMEM;
	view->size = offset + length;
	view->start = mmap(NULL, view->size, protection, MAP_SHARED, fd, 0);
	if (view->start == MAP_FAILED) {
		ret = -errno;
		goto free_view;
	}
	view->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (view->fd < 0) {
		ret = -errno;
		goto unmap;
	}
	import->data = view;
	return 0;
unmap:
	munmap(view->start, view->size);
free_view:
	free(view);
	return ret;
}

static int write_bytes(struct import *import, size_t offset, const void *data,
		       size_t length)
{
	struct view *view = import->data;
	int ret = cpu_sync(view->fd, DMA_BUF_SYNC_START | DMA_BUF_SYNC_WRITE);

	if (ret)
		return ret;
	memcpy(view->start + import->offset + offset, data, length);
	return cpu_sync(view->fd, DMA_BUF_SYNC_END | DMA_BUF_SYNC_WRITE);
}

static int read_bytes(struct import *import, size_t offset, void *data,
		      size_t length)
{
	struct view *view = import->data;
	int ret = cpu_sync(view->fd, DMA_BUF_SYNC_START | DMA_BUF_SYNC_READ);

	if (ret)
		return ret;
	memcpy(data, view->start + import->offset + offset, length);
	return cpu_sync(view->fd, DMA_BUF_SYNC_END | DMA_BUF_SYNC_READ);
}

static int release(struct import *import)
{
	struct view *view = import->data;
	int ret = munmap(view->start, view->size) ? -errno : 0;

	close(view->fd);
	free(view);
	return ret;
}

const struct importer_ops uapi_importer_ops = {
	.name = "uapi",
	.discover = discover,
	.open = open_uapi,
	.import = import_buffer,
	.write = write_bytes,
	.read = read_bytes,
	.release = release,
};

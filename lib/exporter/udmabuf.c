// SPDX-License-Identifier: GPL-2.0-only
/*
 * udmabuf: a dma-buf made of the pages of a memfd. Static system memory, no
 * pin operation, never moves. Content goes through the memfd, where the
 * exporter has it, so that the dma-buf's own mmap is not its own witness.
 */
#include "exporter/exporter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/udmabuf.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pair/cpu.h"

#define NODE	"/dev/udmabuf"

static int open_node(struct exporter *exporter, const char *instance)
{
	struct backend *backend = &exporter->backend;

	if (instance) {
		backend_reason(backend, "udmabuf has no instances: leave out \":%s\"",
			       instance);
		return -EINVAL;
	}
	backend_set_driver(backend, "udmabuf");
	backend_needs_module(backend, "udmabuf", "CONFIG_UDMABUF");
	if (!backend_needs_node(backend, NODE, "it comes with udmabuf"))
		return -ENODEV;
	backend->reason_count = 0;
	exporter->control = open(NODE, O_RDWR | O_CLOEXEC);
	if (exporter->control < 0)
		return -errno;
	backend->capabilities = NEEDS(EXPORTER_MAPS, EXPORTER_MMAPS,
				      EXPORTER_FILLS, EXPORTER_TAKES_CLOEXEC,
				      EXPORTER_UDMABUF);
	return 0;
}

static void discover(backend_report report, void *context)
{
	exporter_report("udmabuf", NULL, report, context);
}

/* udmabuf takes no memory that could shrink under it. */
static int make_memfd(size_t size)
{
	int fd = memfd_create("dmabuf-cts", MFD_ALLOW_SEALING | MFD_CLOEXEC);
	int ret;

	if (fd < 0)
		return -errno;
	if (!ftruncate(fd, size) && !fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK))
		return fd;
	ret = -errno;
	close(fd);
	return ret;
}

static int alloc(struct exporter *exporter, const struct buffer_spec *spec,
		 struct buffer *buffer)
{
	struct udmabuf_create create = { .size = spec->size };
	int memfd, fd;

	if (!spec_is_plain(spec, BUFFER_NO_CLOEXEC))
		return -EOPNOTSUPP;
	memfd = make_memfd(spec->size);
	if (memfd < 0)
		return memfd;
	create.memfd = memfd;
	if (!(spec->flags & BUFFER_NO_CLOEXEC))
		create.flags = UDMABUF_FLAGS_CLOEXEC;
	fd = ioctl(exporter->control, UDMABUF_CREATE, &create);
	if (fd < 0) {
		fd = -errno;
		close(memfd);
		return fd;
	}
	buffer->fd = fd;
	buffer->data = (void *)(intptr_t)memfd;
	return 0;
}

static int memfd_of(const struct buffer *buffer)
{
	return (intptr_t)buffer->data;
}

/* Tells the exporter of the access while the dma-buf is still open. */
static int announce(struct buffer *buffer, uint64_t flags)
{
	return buffer->fd < 0 ? 0 : cpu_sync(buffer->fd, flags);
}

static int write_memfd(struct buffer *buffer, size_t offset, const void *data,
		       size_t length)
{
	int ret = announce(buffer, DMA_BUF_SYNC_START | DMA_BUF_SYNC_WRITE);
	ssize_t done;

	if (ret)
		return ret;
	done = pwrite(memfd_of(buffer), data, length, offset);
	ret = done < 0 ? -errno : 0;
	if (!ret && (size_t)done != length)
		ret = -EIO;
	if (!ret)
		ret = announce(buffer, DMA_BUF_SYNC_END | DMA_BUF_SYNC_WRITE);
	return ret;
}

static int read_memfd(struct buffer *buffer, size_t offset, void *data,
		      size_t length)
{
	int ret = announce(buffer, DMA_BUF_SYNC_START | DMA_BUF_SYNC_READ);
	ssize_t done;

	if (ret)
		return ret;
	done = pread(memfd_of(buffer), data, length, offset);
	ret = done < 0 ? -errno : 0;
	if (!ret && (size_t)done != length)
		ret = -EIO;
	if (!ret)
		ret = announce(buffer, DMA_BUF_SYNC_END | DMA_BUF_SYNC_READ);
	return ret;
}

static void release(struct buffer *buffer)
{
	close(memfd_of(buffer));
}

const struct exporter_ops udmabuf_exporter_ops = {
	.name = "udmabuf",
	.discover = discover,
	.open = open_node,
	.alloc = alloc,
	.write = write_memfd,
	.read = read_memfd,
	.release = release,
};

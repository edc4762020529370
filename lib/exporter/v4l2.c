// SPDX-License-Identifier: GPL-2.0-only
/*
 * Video4linux drivers as exporters: buffers that videobuf2 allocated, handed
 * out by VIDIOC_EXPBUF. Every node is an instance. Static memory.
 */
#include "exporter/exporter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "pair/read_only.h"
#include "pair/v4l2.h"

/*
 * So much a driver may have to find in one piece, where no area is set aside
 * for that; the kernel warns of more.
 */
#define SIZE_MAX_ASKED	(4u << 20)

static int open_node(struct exporter *exporter, const char *instance)
{
	struct v4l2_queue *queue = malloc(sizeof(*queue));
	int ret;

	if (!queue)
		return -ENOMEM;
	ret = v4l2_pick(&exporter->backend, instance, V4L2_MEMORY_MMAP, queue);
	if (ret) {
		free(queue);
		return ret;
	}
	exporter->control = queue->fd;
	exporter->data = queue;
	exporter->backend.capabilities = NEEDS(EXPORTER_MAPS, EXPORTER_MMAPS,
					       EXPORTER_FILLS,
					       EXPORTER_TAKES_CLOEXEC,
					       EXPORTER_V4L2);
	return 0;
}

static void close_node(struct exporter *exporter)
{
	struct v4l2_queue *queue = exporter->data;

	queue->fd = exporter->control;
	v4l2_close(queue);
	free(queue);
}

static struct v4l2_exportbuffer request(const struct v4l2_queue *queue,
					int index, unsigned int flags)
{
	struct v4l2_exportbuffer request = {
		.type = queue->type,
		.index = index,
		.flags = flags & BUFFER_READ_ONLY ? O_RDONLY : O_RDWR,
	};

	if (!(flags & BUFFER_NO_CLOEXEC))
		request.flags |= O_CLOEXEC;
	return request;
}

static int size_of(int fd, size_t *size)
{
	off_t end = lseek(fd, 0, SEEK_END);

	if (end < 0)
		return -errno;
	*size = end;
	return 0;
}

static int alloc(struct exporter *exporter, const struct buffer_spec *spec,
		 struct buffer *buffer)
{
	struct v4l2_queue *queue = exporter->data;
	struct v4l2_exportbuffer export;
	int index, ret;

	if (!spec_is_plain(spec, BUFFER_READ_ONLY | BUFFER_NO_CLOEXEC) ||
	    spec->size > SIZE_MAX_ASKED)
		return -EOPNOTSUPP;
	index = v4l2_add(queue, spec->size);
	if (index < 0)
		return index;
	export = request(queue, index, spec->flags);
	ret = v4l2_call(queue->fd, VIDIOC_EXPBUF, &export);
	if (ret) {
		v4l2_remove(queue, index);
		return ret;
	}
	ret = size_of(export.fd, &buffer->size);
	if (ret) {
		close(export.fd);
		v4l2_remove(queue, index);
		return ret;
	}
	buffer->fd = export.fd;
	buffer->handle = index;
	return 0;
}

static int alloc_unanswered(struct exporter *exporter, size_t size)
{
	struct v4l2_queue *queue = exporter->data;
	struct v4l2_exportbuffer export;
	int index = v4l2_add(queue, size), ret;

	if (index < 0)
		return index;
	export = request(queue, index, 0);
	ret = read_only_ioctl(queue->fd, VIDIOC_EXPBUF, &export, sizeof(export));
	v4l2_remove(queue, index);
	return ret;
}

static void release(struct buffer *buffer)
{
	/* The file may be closed already, and the queue with it. */
	if (buffer->exporter->control >= 0)
		v4l2_remove(buffer->exporter->data, buffer->handle);
}

static void discover(backend_report report, void *context)
{
	char instances[V4L2_NODES_MAX][64];
	int count = v4l2_instances(instances);

	for (int i = 0; i < count; i++)
		exporter_report("v4l2", instances[i], report, context);
}

const struct exporter_ops v4l2_exporter_ops = {
	.name = "v4l2",
	.discover = discover,
	.open = open_node,
	.close = close_node,
	.alloc = alloc,
	.alloc_unanswered = alloc_unanswered,
	.release = release,
};

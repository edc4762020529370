// SPDX-License-Identifier: GPL-2.0-only
/*
 * Video4linux drivers as importers: a dma-buf becomes a buffer of a queue, by
 * VIDIOC_PREPARE_BUF, where videobuf2 attaches and maps it. Every node is an
 * instance. No frame is ever put into it. Where a queue lets go of all its
 * buffers at once, there is one of them at a time.
 */
#include "importer/importer.h"

#include <errno.h>
#include <stdlib.h>

#include "pair/errno_text.h"
#include "pair/v4l2.h"
#include "peer/trial.h"

/* Drivers without VIDIOC_PREPARE_BUF do the same when a buffer is queued. */
static int hand_over(struct v4l2_queue *queue, int index, int fd)
{
	struct v4l2_buffer buffer = {
		.index = index, .type = queue->type, .memory = queue->memory,
		.bytesused = v4l2_frame_size(queue), .m.fd = fd,
	};
	int ret = v4l2_call(queue->fd, VIDIOC_PREPARE_BUF, &buffer);

	return ret == -ENOTTY ? v4l2_call(queue->fd, VIDIOC_QBUF, &buffer) : ret;
}

/* Return: the index of the queue's buffer, or a negative errno. */
static int import_fd(struct v4l2_queue *queue, int fd)
{
	int index, ret;

	if (queue->count && !v4l2_removes_one(queue))
		return -EBUSY;
	index = v4l2_add(queue, 0);
	if (index < 0)
		return index;
	ret = hand_over(queue, index, fd);
	if (ret)
		v4l2_remove(queue, index);
	return ret ? ret : index;
}

static int import_buffer(struct importer *importer, int fd, size_t offset,
			 size_t length, unsigned int access,
			 struct import *import)
{
	int index = import_fd(importer->data, fd);

	(void)offset;		/* a frame begins where the buffer does, and */
	(void)length;		/* the node has its direction */
	(void)access;
	if (index < 0)
		return index;
	import->handle = index;
	return 0;
}

static int release(struct import *import)
{
	/* The file may be closed already, and the queue with it. */
	if (import->importer->control < 0)
		return 0;
	return v4l2_remove(import->importer->data, import->handle);
}

/* Import a buffer of the peer exporter, and add to @claims what that shows. */
static int try_buffer(struct v4l2_queue *queue, unsigned int flags,
		      capability_set *claims)
{
	struct trial_buffer buffer;
	int ret = trial_buffer_make(PEER_POLICY_STATIC, flags, &buffer);

	if (ret)
		return ret;
	ret = import_fd(queue, buffer.fd);
	*claims |= trial_buffer_claims(&buffer);
	if (ret >= 0)
		v4l2_remove(queue, ret);
	trial_buffer_drop(&buffer);
	return ret < 0 ? ret : 0;
}

/*
 * A device without scatter tables of its own wants its buffer in one piece, and
 * says EFAULT to others: then one that is in one piece is tried, too.
 */
static int learn(struct importer *importer)
{
	struct backend *backend = &importer->backend;
	capability_set claims = 0;
	int ret = try_buffer(importer->data, 0, &claims);

	if (ret == -EFAULT) {
		claims |= CAP(IMPORTER_CONTIGUOUS);
		backend_note(backend, "takes buffers in one piece alone (EFAULT)");
		ret = try_buffer(importer->data, PEER_BUFFER_CONTIGUOUS, &claims);
	}
	if (ret == TRIAL_NO_PEER) {
		backend_note(backend, "whether it attaches and maps is unknown without the peer exporter");
		return 0;
	}
	if (ret) {
		/* Not excused: what it claims to do, the tests shall judge. */
		claims |= NEEDS(IMPORTER_ATTACHES, IMPORTER_STATIC, IMPORTER_MAPS);
		backend_note(backend, "a trial import failed: %s", errno_text(ret));
	} else if (!(claims & CAP(IMPORTER_ATTACHES))) {
		backend_note(backend, "attaches no device: its frames are for the CPU (vmap)");
	}
	if (!v4l2_removes_one(importer->data))
		claims |= CAP(IMPORTER_ONE);
	/* As videobuf2-dma-contig.c and videobuf2-dma-sg.c do. */
	if (claims & CAP(IMPORTER_ATTACHES))
		claims |= CAP(IMPORTER_HIDES_ERRORS);
	backend->capabilities |= claims;
	return 0;
}

static int open_node(struct importer *importer, const char *instance)
{
	struct v4l2_queue *queue = malloc(sizeof(*queue));
	int ret;

	if (!queue)
		return -ENOMEM;
	ret = v4l2_pick(&importer->backend, instance, V4L2_MEMORY_DMABUF, queue);
	if (ret)
		goto free_queue;
	importer->control = queue->fd;
	if (v4l2_frame_size(queue) > TRIAL_SIZE) {
		backend_reason(&importer->backend, "its smallest frame has %zu bytes, more than some buffers that are shared here",
			       v4l2_frame_size(queue));
		v4l2_close(queue);
		ret = -ENODEV;
		goto free_queue;
	}
	importer->data = queue;
	return 0;
free_queue:
	free(queue);
	return ret;
}

static void close_node(struct importer *importer)
{
	struct v4l2_queue *queue = importer->data;

	queue->fd = importer->control;
	v4l2_close(queue);
	free(queue);
}

static void discover(backend_report report, void *context)
{
	char instances[V4L2_NODES_MAX][64];
	int count = v4l2_instances(instances);

	for (int i = 0; i < count; i++)
		importer_report("v4l2", instances[i], report, context);
}

const struct importer_ops v4l2_importer_ops = {
	.name = "v4l2",
	.discover = discover,
	.open = open_node,
	.learn = learn,
	.close = close_node,
	.import = import_buffer,
	.release = release,
};

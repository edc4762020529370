/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Video4linux devices, for the back ends that export and import through them:
 * a queue of buffers of one plane each. No stream is ever started. From its
 * first buffer on a queue's device has the smallest frame that it knows, so that
 * small buffers will do; closing puts its format back, and so does a guard, should
 * the process die.
 */
#ifndef CTS_V4L2_H
#define CTS_V4L2_H

#include <linux/videodev2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "pair/backend.h"

#define V4L2_NODES_MAX	16

struct v4l2_queue {
	int fd;			/* the node; a queue belongs to who opened it */
	uint32_t type;		/* V4L2_BUF_TYPE_VIDEO_CAPTURE or _OUTPUT */
	uint32_t memory;	/* V4L2_MEMORY_MMAP or _DMABUF */
	uint32_t abilities;	/* V4L2_BUF_CAP_* */
	unsigned int count;	/* buffers in it */
	struct v4l2_format before;	/* what the device had */
	struct v4l2_format format;	/* what it has meanwhile */
	bool is_set;		/* .format, by the first buffer */
	pid_t guard;
};

/**
 * v4l2_instances - what a V4L2 back end has to report
 * @instances: room for V4L2_NODES_MAX names
 *
 * "video0" and so on; where there is no node, vivid: the one driver that every
 * machine could have.
 *
 * Return: how many there are.
 */
int v4l2_instances(char (*instances)[64]);

/**
 * v4l2_pick - find and open the queue that an instance names
 * @backend: gets selector, driver, version, device, evidence, and reasons
 * @instance: "video0", or a driver's name for its first node; NULL for the
 *	      first node of all
 * @memory: V4L2_MEMORY_MMAP for buffers to export, V4L2_MEMORY_DMABUF to import
 * @queue: filled; close it with v4l2_close(), then its fd
 *
 * Return: 0, -ENODEV or -EACCES with all the reasons in @backend.
 */
int v4l2_pick(struct backend *backend, const char *instance, uint32_t memory,
	      struct v4l2_queue *queue);

/**
 * v4l2_close - empty a queue and put the device's format back
 *
 * The file stays open.
 */
void v4l2_close(struct v4l2_queue *queue);

/**
 * v4l2_frame_size - bytes that a buffer must have at least
 */
static inline size_t v4l2_frame_size(const struct v4l2_queue *queue)
{
	return queue->format.fmt.pix.sizeimage;
}

/**
 * v4l2_removes_one - whether one buffer can go while others stay
 */
bool v4l2_removes_one(const struct v4l2_queue *queue);

/**
 * v4l2_add - add a buffer to a queue
 * @queue: the queue
 * @size: bytes; a frame needs v4l2_frame_size()
 *
 * Return: its index, or a negative errno.
 */
int v4l2_add(struct v4l2_queue *queue, size_t size);

/**
 * v4l2_remove - take a buffer out of a queue
 * @queue: the queue
 * @index: of the buffer
 *
 * Before VIDIOC_REMOVE_BUFS a driver lets go of all of a queue's buffers at
 * once: then that is done with the last one.
 *
 * Return: 0, or a negative errno with the buffer still in the queue.
 */
int v4l2_remove(struct v4l2_queue *queue, unsigned int index);

/**
 * v4l2_call - one V4L2 ioctl, again while it is interrupted
 *
 * Return: 0 or a negative errno.
 */
int v4l2_call(int fd, unsigned long request, void *argument);

#endif

// SPDX-License-Identifier: GPL-2.0-only
/* Finds video4linux nodes, and keeps the buffers of a queue. */
#include "pair/v4l2.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "oracle/guard.h"
#include "pair/errno_text.h"

/* Headers older than Linux 6.10 do not have it. */
#ifndef VIDIOC_REMOVE_BUFS
struct v4l2_remove_buffers {
	__u32 index;
	__u32 count;
	__u32 type;
	__u32 reserved[13];
};
#define VIDIOC_REMOVE_BUFS	_IOWR('V', 104, struct v4l2_remove_buffers)
#endif
#ifndef V4L2_BUF_CAP_SUPPORTS_REMOVE_BUFS
#define V4L2_BUF_CAP_SUPPORTS_REMOVE_BUFS	(1 << 8)
#endif

_Static_assert(sizeof(struct v4l2_remove_buffers) == 64,
	       "struct v4l2_remove_buffers is laid out as the kernel has it");

#define NODE_NUMBERS	64

/* Drivers that stand for no device. */
static const char *const without_hardware[] = {
	"vivid", "vim2m", "vimc", "vicodec", "visl",
};

int v4l2_call(int fd, unsigned long request, void *argument)
{
	int ret;

	do {
		ret = ioctl(fd, request, argument) ? -errno : 0;
	} while (ret == -EINTR);
	return ret;
}

static void node_path(char path[32], int number)
{
	snprintf(path, 32, "/dev/video%d", number);
}

int v4l2_instances(char (*instances)[64])
{
	int count = 0;

	for (int i = 0; i < NODE_NUMBERS && count < V4L2_NODES_MAX; i++) {
		char path[32];

		node_path(path, i);
		if (!access(path, F_OK))
			snprintf(instances[count++], 64, "video%d", i);
	}
	if (!count)
		strcpy(instances[count++], "vivid");
	return count;
}

static void read_driver(const char *path, char driver[16])
{
	struct v4l2_capability has;
	int fd = open(path, O_RDWR | O_CLOEXEC);

	driver[0] = '\0';
	if (fd < 0)
		return;
	if (!v4l2_call(fd, VIDIOC_QUERYCAP, &has))
		snprintf(driver, 16, "%.15s", (char *)has.driver);
	close(fd);
}

static bool is_named(int number, const char *instance)
{
	char path[32], name[16], driver[16];

	node_path(path, number);
	if (access(path, F_OK))
		return false;
	snprintf(name, sizeof(name), "video%d", number);
	if (!instance || !strcmp(instance, name))
		return true;
	read_driver(path, driver);
	return !strcmp(instance, driver);
}

/* The number of the node that an instance names, or -ENODEV. */
static int find_node(const char *instance)
{
	for (int i = 0; i < NODE_NUMBERS; i++)
		if (is_named(i, instance))
			return i;
	return -ENODEV;
}

static void explain_missing(struct backend *backend, const char *instance)
{
	char nodes[V4L2_NODES_MAX][64];

	v4l2_instances(nodes);
	if (strncmp(nodes[0], "video", strlen("video")))
		backend_reason(backend, "no video device: there is no /dev/video*");
	else
		backend_reason(backend, "no video device \"%s\": see dmabuf-cts list",
			       instance);
	if (!instance || !strcmp(instance, "vivid"))
		backend_needs_module(backend, "vivid", "CONFIG_VIDEO_VIVID");
}

/* What sysfs calls the device behind a node: importers attach that. */
static void read_device(struct backend *backend, int number)
{
	char link[64], target[512];
	const char *base;
	ssize_t length;

	snprintf(link, sizeof(link), "/sys/class/video4linux/video%d/device",
		 number);
	length = readlink(link, target, sizeof(target) - 1);
	if (length < 0)
		return;
	target[length] = '\0';
	base = strrchr(target, '/');
	snprintf(backend->device, sizeof(backend->device), "%.47s",
		 base ? base + 1 : target);
}

static void describe(struct backend *backend, const char *driver, int number)
{
	backend_set_driver(backend, driver);
	read_device(backend, number);
	backend->evidence = EVIDENCE_HARDWARE;
	for (size_t i = 0; i < sizeof(without_hardware) / sizeof(without_hardware[0]); i++)
		if (!strcmp(driver, without_hardware[i]))
			backend->evidence = EVIDENCE_SOFTWARE;
}

/* Which queue a node has, 0 if none of the kind that is used here. */
static uint32_t queue_type(uint32_t has)
{
	if (has & (V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_VIDEO_M2M))
		return V4L2_BUF_TYPE_VIDEO_CAPTURE;
	return has & V4L2_CAP_VIDEO_OUTPUT ? V4L2_BUF_TYPE_VIDEO_OUTPUT : 0;
}

static int look_at_node(struct backend *backend, struct v4l2_queue *queue,
			int number)
{
	struct v4l2_capability found = { 0 };
	int ret = v4l2_call(queue->fd, VIDIOC_QUERYCAP, &found);
	uint32_t has = found.capabilities & V4L2_CAP_DEVICE_CAPS ?
		       found.device_caps : found.capabilities;

	if (ret) {
		backend_reason(backend, "/dev/video%d does not tell what it is: %s",
			       number, errno_text(ret));
		return ret;
	}
	describe(backend, (char *)found.driver, number);
	backend_note(backend, "/dev/video%d, %.31s", number, (char *)found.card);
	queue->type = queue_type(has);
	if (!queue->type)
		backend_reason(backend, "/dev/video%d has no queue of frames in one plane: it captures or shows none, or only such of several planes",
			       number);
	if (!(has & V4L2_CAP_STREAMING))
		backend_reason(backend, "/dev/video%d does no streaming: it has no buffers to share",
			       number);
	return backend->reason_count ? -ENODEV : 0;
}

static int look_at_memory(struct backend *backend, struct v4l2_queue *queue)
{
	struct v4l2_requestbuffers none = {
		.type = queue->type, .memory = queue->memory,
	};
	int ret = v4l2_call(queue->fd, VIDIOC_REQBUFS, &none);

	if (ret == -EBUSY)
		backend_reason(backend, "somebody else uses the device: end that, and try again");
	else if (ret == -EINVAL)
		backend_reason(backend, "driver %s has no buffers %s", backend->driver,
			       queue->memory == V4L2_MEMORY_MMAP ?
			       "to be mapped or exported" : "of others, as dma-bufs");
	else if (ret)
		backend_reason(backend, "driver %s gives no buffers: %s",
			       backend->driver, errno_text(ret));
	queue->abilities = none.capabilities;
	return ret ? -ENODEV : 0;
}

/*
 * Drivers take what is nearest to what they are asked for. It is only tried here:
 * whoever looks at a camera shall not change it.
 */
static int choose_format(struct backend *backend, struct v4l2_queue *queue)
{
	int ret;

	queue->before.type = queue->type;
	ret = v4l2_call(queue->fd, VIDIOC_G_FMT, &queue->before);
	if (ret) {
		backend_reason(backend, "driver %s tells no format: %s",
			       backend->driver, errno_text(ret));
		return -ENODEV;
	}
	queue->format = queue->before;
	queue->format.fmt.pix = (struct v4l2_pix_format){
		.width = 1, .height = 1, .pixelformat = V4L2_PIX_FMT_GREY,
		.field = V4L2_FIELD_NONE,
	};
	ret = v4l2_call(queue->fd, VIDIOC_TRY_FMT, &queue->format);
	if (!ret)
		return 0;
	backend_reason(backend, "driver %s takes no format: %s", backend->driver,
		       errno_text(ret));
	return -ENODEV;
}

struct format_before {
	int number;		/* of the node */
	struct v4l2_format format;
};

/* In the guard: also where no format was ever set, which changes nothing. */
static void give_back_format(const void *argument)
{
	struct format_before before = *(const struct format_before *)argument;
	char path[32];
	int fd;

	node_path(path, before.number);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd >= 0)
		v4l2_call(fd, VIDIOC_S_FMT, &before.format);
}

/*
 * Begun here and not with the first buffer: a guard keeps mappings, and would
 * hold what a test has mapped by then. Without one only a kill leaves a trace.
 */
static void guard_format(struct v4l2_queue *queue, int number)
{
	const struct format_before before = { number, queue->before };

	queue->guard = guard_start(give_back_format, &before);
}

int v4l2_pick(struct backend *backend, const char *instance, uint32_t memory,
	      struct v4l2_queue *queue)
{
	int number = find_node(instance), ret;
	char path[32], name[16];

	*queue = (struct v4l2_queue){ .fd = -1, .memory = memory };
	if (number < 0) {
		if (instance && !strcmp(instance, "vivid"))
			backend_set_driver(backend, instance);
		explain_missing(backend, instance);
		return -ENODEV;
	}
	snprintf(name, sizeof(name), "video%d", number);
	backend_start(backend, "v4l2", name);
	node_path(path, number);
	if (!backend_needs_node(backend, path, "the device went away"))
		return -EACCES;
	queue->fd = open(path, O_RDWR | O_CLOEXEC);
	if (queue->fd < 0) {
		ret = -errno;
		backend_reason(backend, "%s cannot be opened: %s", path,
			       errno_text(ret));
		return ret == -EACCES ? ret : -ENODEV;
	}
	ret = look_at_node(backend, queue, number);
	if (!ret)
		ret = look_at_memory(backend, queue);
	if (!ret)
		ret = choose_format(backend, queue);
	if (ret)
		close(queue->fd);
	else
		guard_format(queue, number);
	return ret;
}

static int empty(struct v4l2_queue *queue)
{
	struct v4l2_requestbuffers none = {
		.type = queue->type, .memory = queue->memory,
	};
	int ret = v4l2_call(queue->fd, VIDIOC_REQBUFS, &none);

	if (!ret)
		queue->count = 0;
	return ret;
}

void v4l2_close(struct v4l2_queue *queue)
{
	empty(queue);
	if (queue->is_set)
		v4l2_call(queue->fd, VIDIOC_S_FMT, &queue->before);
	if (queue->guard > 0)
		guard_stop(queue->guard);
}

bool v4l2_removes_one(const struct v4l2_queue *queue)
{
	return queue->abilities & V4L2_BUF_CAP_SUPPORTS_REMOVE_BUFS;
}

static int set_format(struct v4l2_queue *queue)
{
	int ret = queue->is_set ? 0 :
		  v4l2_call(queue->fd, VIDIOC_S_FMT, &queue->format);

	queue->is_set |= !ret;
	return ret;
}

int v4l2_add(struct v4l2_queue *queue, size_t size)
{
	struct v4l2_create_buffers create = {
		.count = 1, .memory = queue->memory,
	};
	int ret = set_format(queue);

	if (ret)
		return ret;
	create.format = queue->format;
	if (size > create.format.fmt.pix.sizeimage)
		create.format.fmt.pix.sizeimage = size;
	ret = v4l2_call(queue->fd, VIDIOC_CREATE_BUFS, &create);
	if (ret)
		return ret;
	queue->count++;
	return create.index;
}

int v4l2_remove(struct v4l2_queue *queue, unsigned int index)
{
	struct v4l2_remove_buffers remove = {
		.index = index, .count = 1, .type = queue->type,
	};
	int ret = 0;

	if (queue->count <= 1)
		return empty(queue);
	if (v4l2_removes_one(queue))
		ret = v4l2_call(queue->fd, VIDIOC_REMOVE_BUFS, &remove);
	if (!ret)
		queue->count--;
	return ret;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "nic/vfio_user.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "nic/log.h"

/* Where we differ from what the protocol takes for granted. */
static const char capabilities[] =
"{\"capabilities\":{\"max_msg_fds\":16,\"max_data_xfer_size\":1048576}}";

_Static_assert(FRAME_FDS == 16 && FRAME_DATA == 1048576,
	       "what is announced is what a frame takes");

/* Puts something into the reply, behind what is there. */
static void put(struct frame *reply, const void *data, size_t length)
{
	memcpy(reply->payload + frame_length(reply), data, length);
	reply->header.size += length;
}

static int greet(struct function *function, struct frame *request,
		 struct frame *reply)
{
	const struct vfio_user_version ours = { VFIO_USER_MAJOR, VFIO_USER_MINOR };
	struct vfio_user_version version;

	memcpy(&version, request->payload, sizeof(version));
	log_line(LOG_COMMAND, function->name, "version %u.%u", version.major,
		 version.minor);
	if (version.major != VFIO_USER_MAJOR)
		return -EINVAL;
	put(reply, &ours, sizeof(ours));
	put(reply, capabilities, sizeof(capabilities));
	return 0;
}

static int map(struct function *function, struct frame *request,
	       struct frame *reply)
{
	struct vfio_user_dma_map map;
	unsigned int access = 0;
	int ret;

	(void)reply;
	memcpy(&map, request->payload, sizeof(map));
	if (map.argsz < sizeof(map) ||
	    map.flags & ~(VFIO_USER_MAP_READ | VFIO_USER_MAP_WRITE))
		return -EINVAL;
	if (map.flags & VFIO_USER_MAP_READ)
		access |= MEMORY_READ;
	if (map.flags & VFIO_USER_MAP_WRITE)
		access |= MEMORY_WRITE;
	ret = memory_add(function->memory, map.address, map.size,
			 request->nfds ? request->fds[0] : -1, map.offset, access);
	log_line(LOG_DETAIL, function->name, "map %#" PRIx64 " size %#" PRIx64
		 " access %u%s: %s", map.address, map.size, access,
		 request->nfds ? "" : " without memory", strerror(-ret));
	return ret;
}

static int unmap(struct function *function, struct frame *request,
		 struct frame *reply)
{
	struct vfio_user_dma_unmap unmap;
	int ret = 0;

	memcpy(&unmap, request->payload, sizeof(unmap));
	if (unmap.argsz < sizeof(unmap) || unmap.flags & ~VFIO_USER_UNMAP_ALL)
		return -EINVAL;
	if (!(unmap.flags & VFIO_USER_UNMAP_ALL))
		ret = memory_remove(function->memory, unmap.address, unmap.size);
	else if (unmap.address || unmap.size)
		ret = -EINVAL;
	else
		memory_remove_all(function->memory);
	log_line(LOG_DETAIL, function->name, "unmap %#" PRIx64 " size %#" PRIx64
		 " flags %u: %s", unmap.address, unmap.size, unmap.flags,
		 strerror(-ret));
	if (!ret)
		put(reply, &unmap, sizeof(unmap));
	return ret;
}

static int tell_device(struct function *function, struct frame *request,
		       struct frame *reply)
{
	const struct vfio_user_device_info info = {
		.argsz = sizeof(info),
		.flags = VFIO_DEVICE_FLAGS_PCI | VFIO_DEVICE_FLAGS_RESET,
		.regions = VFIO_PCI_NUM_REGIONS,
		.irqs = VFIO_PCI_NUM_IRQS,
	};

	(void)function;
	(void)request;
	put(reply, &info, sizeof(info));
	return 0;
}

static int tell_region(struct function *function, struct frame *request,
		       struct frame *reply)
{
	struct vfio_region_info info;

	memcpy(&info, request->payload, sizeof(info));
	if (info.argsz < sizeof(info) || info.index >= VFIO_PCI_NUM_REGIONS)
		return -EINVAL;
	info = (struct vfio_region_info){
		.argsz = sizeof(info),
		.index = info.index,
		.size = region_size(info.index),
	};
	if (info.size)
		info.flags = VFIO_REGION_INFO_FLAG_READ |
			     VFIO_REGION_INFO_FLAG_WRITE;
	if (info.index == PCI_BAR_LLQ) {
		info.flags |= VFIO_REGION_INFO_FLAG_MMAP;
		reply->fds[reply->nfds++] = function->llq_fd;
	}
	put(reply, &info, sizeof(info));
	return 0;
}

static int tell_irq(struct function *function, struct frame *request,
		    struct frame *reply)
{
	struct vfio_irq_info info;

	(void)function;
	memcpy(&info, request->payload, sizeof(info));
	if (info.argsz < sizeof(info) || info.index >= VFIO_PCI_NUM_IRQS)
		return -EINVAL;
	info = (struct vfio_irq_info){ .argsz = sizeof(info), .index = info.index };
	if (info.index == VFIO_PCI_MSIX_IRQ_INDEX) {
		info.flags = VFIO_IRQ_INFO_EVENTFD;
		info.count = FUNCTION_VECTORS;
	}
	put(reply, &info, sizeof(info));
	return 0;
}

/* The eventfds of so many vectors, or none for any of them. */
static int set_eventfds(struct function *function, const struct vfio_irq_set *set,
			struct frame *request)
{
	if (request->nfds && request->nfds != set->count)
		return -EINVAL;
	for (uint32_t i = 0; i < set->count; i++) {
		interrupts_set(&function->interrupts, set->start + i,
			       request->nfds ? request->fds[i] : -1);
		if (request->nfds)
			request->fds[i] = -1;
	}
	return 0;
}

static int set_irqs(struct function *function, struct frame *request,
		    struct frame *reply)
{
	struct vfio_irq_set set;

	(void)reply;
	memcpy(&set, request->payload, sizeof(set));
	log_line(LOG_DETAIL, function->name, "interrupts %u of index %u from %u "
		 "flags %#x with %zu eventfds", set.count, set.index, set.start,
		 set.flags, request->nfds);
	if (set.argsz < sizeof(set) || set.index != VFIO_PCI_MSIX_IRQ_INDEX ||
	    set.start > FUNCTION_VECTORS ||
	    set.count > FUNCTION_VECTORS - set.start)
		return -EINVAL;
	if (set.flags == (VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER))
		return set_eventfds(function, &set, request);
	if (set.flags != (VFIO_IRQ_SET_DATA_NONE | VFIO_IRQ_SET_ACTION_TRIGGER) ||
	    set.count || request->nfds)
		return -EINVAL;
	interrupts_clear(&function->interrupts);
	return 0;
}

static int read_region(struct function *function, struct frame *request,
		       struct frame *reply)
{
	struct vfio_user_region_access access;
	int ret;

	memcpy(&access, request->payload, sizeof(access));
	if (access.count > FRAME_DATA)
		return -EINVAL;
	put(reply, &access, sizeof(access));
	ret = region_read(function, access.region, access.offset, access.count,
			  reply->payload + frame_length(reply));
	reply->header.size += access.count;
	return ret;
}

static int write_region(struct function *function, struct frame *request,
			struct frame *reply)
{
	struct vfio_user_region_access access;

	memcpy(&access, request->payload, sizeof(access));
	if (access.count != frame_length(request) - sizeof(access))
		return -EINVAL;
	put(reply, &access, sizeof(access));
	return region_write(function, access.region, access.offset, access.count,
			    request->payload + sizeof(access));
}

static int reset(struct function *function, struct frame *request,
		 struct frame *reply)
{
	(void)request;
	(void)reply;
	function_reset(function);
	return 0;
}

/* How long a message is behind its header, and how many descriptors it may bring. */
#define EXACTLY(type)	.shortest = sizeof(type), .longest = sizeof(type)

static const struct command {
	int (*run)(struct function *function, struct frame *request,
		   struct frame *reply);
	size_t shortest, longest;
	size_t fds;
} commands[] = {
	[VFIO_USER_VERSION] = {
		.run = greet,
		.shortest = sizeof(struct vfio_user_version),
		.longest = 4096,
	},
	[VFIO_USER_DMA_MAP] = {
		.run = map, EXACTLY(struct vfio_user_dma_map), .fds = 1,
	},
	[VFIO_USER_DMA_UNMAP] = {
		.run = unmap, EXACTLY(struct vfio_user_dma_unmap),
	},
	[VFIO_USER_DEVICE_GET_INFO] = {
		.run = tell_device, EXACTLY(struct vfio_user_device_info),
	},
	[VFIO_USER_GET_REGION_INFO] = {
		.run = tell_region, EXACTLY(struct vfio_region_info),
	},
	[VFIO_USER_GET_IRQ_INFO] = {
		.run = tell_irq, EXACTLY(struct vfio_irq_info),
	},
	[VFIO_USER_SET_IRQS] = {
		.run = set_irqs, EXACTLY(struct vfio_irq_set),
		.fds = FUNCTION_VECTORS,
	},
	[VFIO_USER_REGION_READ] = {
		.run = read_region, EXACTLY(struct vfio_user_region_access),
	},
	[VFIO_USER_REGION_WRITE] = {
		.run = write_region,
		.shortest = sizeof(struct vfio_user_region_access),
		.longest = FRAME_PAYLOAD,
	},
	[VFIO_USER_DEVICE_RESET] = { .run = reset },
};

static int run(struct function *function, bool *greeted, struct frame *request,
	       struct frame *reply)
{
	const struct vfio_user_header *header = &request->header;
	size_t length = frame_length(request);
	const struct command *command;
	int ret;

	if ((header->flags & VFIO_USER_TYPE) != VFIO_USER_TYPE_COMMAND)
		return -EINVAL;
	if (header->command >= sizeof(commands) / sizeof(commands[0]) ||
	    !commands[header->command].run)
		return -ENOTSUP;
	command = &commands[header->command];
	/* The version comes first, and once. */
	if (*greeted == (header->command == VFIO_USER_VERSION))
		return -EPROTO;
	if (length < command->shortest || length > command->longest ||
	    request->nfds > command->fds)
		return -EINVAL;
	ret = command->run(function, request, reply);
	*greeted |= header->command == VFIO_USER_VERSION && !ret;
	return ret;
}

static void refuse(struct function *function, const struct frame *request,
		   struct frame *reply, int error)
{
	log_line(LOG_FAULT, function->name, "message %u of %u bytes with %zu "
		 "descriptors: %s", request->header.command,
		 request->header.size, request->nfds, strerror(error));
	function->counters.errors_sent++;
	reply->header.size = sizeof(reply->header);
	reply->header.flags |= VFIO_USER_ERROR;
	reply->header.error = error;
	reply->nfds = 0;
}

bool vfio_user_handle(struct function *function, bool *greeted,
		      struct frame *request, struct frame *reply)
{
	int ret;

	function->counters.messages++;
	reply->header = (struct vfio_user_header){
		.id = request->header.id,
		.command = request->header.command,
		.size = sizeof(reply->header),
		.flags = VFIO_USER_TYPE_REPLY,
	};
	reply->bytes = 0;
	reply->nfds = 0;
	ret = run(function, greeted, request, reply);
	if (ret)
		refuse(function, request, reply, -ret);
	return !(request->header.flags & VFIO_USER_NO_REPLY);
}

// SPDX-License-Identifier: GPL-2.0-only
/* Talks to the kernel's verbs interface by its ioctl. */
#include "importer/uverbs.h"

#include <errno.h>
#include <fcntl.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "importer/rdma_device.h"
#include "pair/read_only.h"

#define DRIVERS_MAX	64	/* ids in use are below 32 */
#define NO_OBJECT	0x0fff	/* an object that no driver has */

/* A command with room for its attributes. */
union command {
	struct ib_uverbs_ioctl_hdr header;
	char room[sizeof(struct ib_uverbs_ioctl_hdr) +
		  UVERBS_ATTRIBUTES_MAX * sizeof(struct ib_uverbs_attr)];
};

static struct ib_uverbs_attr describe(const struct uverbs_attribute *attribute)
{
	return (struct ib_uverbs_attr){
		.attr_id = attribute->id,
		.len = attribute->length,
		.flags = attribute->optional ? 0 : UVERBS_ATTR_F_MANDATORY,
		.data = attribute->data,
	};
}

static int compose(union command *command, uint32_t driver_id, uint16_t object,
		   uint16_t method, const struct uverbs_attribute *attributes,
		   size_t count)
{
	struct ib_uverbs_ioctl_hdr *header = &command->header;

	if (count > UVERBS_ATTRIBUTES_MAX)
		return -E2BIG;
	memset(command, 0, sizeof(*command));
	header->length = sizeof(*header) + count * sizeof(header->attrs[0]);
	header->object_id = object;
	header->method_id = method;
	header->num_attrs = count;
	header->driver_id = driver_id;
	for (size_t i = 0; i < count; i++)
		header->attrs[i] = describe(&attributes[i]);
	return 0;
}

static int call(int fd, uint32_t driver_id, uint16_t object, uint16_t method,
		struct uverbs_attribute *attributes, size_t count)
{
	union command command;
	int ret = compose(&command, driver_id, object, method, attributes,
			  count);

	if (ret)
		return ret;
	ret = ioctl(fd, RDMA_VERBS_IOCTL, &command.header) ? -errno : 0;
	for (size_t i = 0; i < count; i++)
		attributes[i].data = command.header.attrs[i].data;
	return ret;
}

/*
 * The driver is compared before anything else: with the right one, what is
 * missing is the object.
 */
static int find_driver(struct uverbs *uverbs)
{
	for (uint32_t id = 0; id < DRIVERS_MAX; id++)
		if (call(uverbs->fd, id, NO_OBJECT, 0, NULL, 0) != -EINVAL) {
			uverbs->driver_id = id;
			return 0;
		}
	return -EPROTO;
}

int uverbs_open(const char *device, struct uverbs *uverbs)
{
	struct rdma_device found;
	int ret = rdma_find(device, &found);

	if (ret)
		return ret;
	if (!found.node[0])
		return -ENODEV;
	uverbs->fd = open(found.node, O_RDWR | O_CLOEXEC);
	if (uverbs->fd < 0)
		return -errno;
	ret = find_driver(uverbs);
	if (ret)
		uverbs_close(uverbs);
	return ret;
}

int uverbs_borrow(const struct verbs *verbs, struct uverbs *uverbs)
{
	int ret;

	uverbs->fd = fcntl(verbs_command_fd(verbs), F_DUPFD_CLOEXEC, 0);
	if (uverbs->fd < 0)
		return -errno;
	ret = find_driver(uverbs);
	if (ret)
		uverbs_close(uverbs);
	return ret;
}

void uverbs_close(struct uverbs *uverbs)
{
	if (uverbs->fd >= 0)
		close(uverbs->fd);
	uverbs->fd = -1;
}

int uverbs_call(const struct uverbs *uverbs, uint16_t object, uint16_t method,
		struct uverbs_attribute *attributes, size_t count)
{
	return call(uverbs->fd, uverbs->driver_id, object, method, attributes,
		    count);
}

int uverbs_call_unanswered(const struct uverbs *uverbs, uint16_t object,
			   uint16_t method,
			   const struct uverbs_attribute *attributes,
			   size_t count)
{
	union command command;
	int ret = compose(&command, uverbs->driver_id, object, method,
			  attributes, count);

	return ret ? ret : read_only_ioctl(uverbs->fd, RDMA_VERBS_IOCTL,
					   &command, command.header.length);
}

int uverbs_get_context(const struct uverbs *uverbs)
{
	uint32_t vectors;
	uint64_t support;
	struct uverbs_attribute attributes[] = {
		{ .id = UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS,
		  .length = sizeof(vectors), .data = (uintptr_t)&vectors },
		{ .id = UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT,
		  .length = sizeof(support), .data = (uintptr_t)&support },
	};

	return uverbs_call(uverbs, UVERBS_OBJECT_DEVICE,
			   UVERBS_METHOD_GET_CONTEXT, attributes, 2);
}

/* Input as attributes want it: short ones by value. */
static uint64_t input(const void *in, size_t size)
{
	uint64_t value = 0;

	if (size > sizeof(value))
		return (uintptr_t)in;
	memcpy(&value, in, size);
	return value;
}

/* Commands from before the ioctl go through one of its methods. */
static int old_command(const struct uverbs *uverbs, uint32_t command,
		       const void *in, size_t in_size, void *out,
		       size_t out_size)
{
	struct uverbs_attribute attributes[] = {
		{ .id = UVERBS_ATTR_WRITE_CMD, .length = 8, .data = command },
		{ .id = UVERBS_ATTR_CORE_IN, .length = in_size,
		  .data = input(in, in_size) },
		{ .id = UVERBS_ATTR_CORE_OUT, .length = out_size,
		  .data = (uintptr_t)out },
	};

	return uverbs_call(uverbs, UVERBS_OBJECT_DEVICE,
			   UVERBS_METHOD_INVOKE_WRITE, attributes,
			   out ? 3 : 2);
}

int uverbs_alloc_pd(const struct uverbs *uverbs, uint32_t *pd)
{
	struct ib_uverbs_alloc_pd_resp answer = { 0 };
	struct ib_uverbs_alloc_pd request = {
		.response = (uintptr_t)&answer,
	};
	int ret = old_command(uverbs, IB_USER_VERBS_CMD_ALLOC_PD, &request,
			      sizeof(request), &answer, sizeof(answer));

	*pd = answer.pd_handle;
	return ret;
}

int uverbs_dealloc_pd(const struct uverbs *uverbs, uint32_t pd)
{
	struct ib_uverbs_dealloc_pd request = { .pd_handle = pd };

	return old_command(uverbs, IB_USER_VERBS_CMD_DEALLOC_PD, &request,
			   sizeof(request), NULL, 0);
}

void uverbs_describe(struct uverbs_attribute attributes[UVERBS_REGISTER_ATTRIBUTES],
		     uint32_t pd, const struct verbs_request *request,
		     uint32_t *lkey, uint32_t *rkey)
{
	const struct uverbs_attribute description[UVERBS_REGISTER_ATTRIBUTES] = {
		{ .id = UVERBS_ATTR_REG_DMABUF_MR_HANDLE },
		{ .id = UVERBS_ATTR_REG_DMABUF_MR_PD_HANDLE, .data = pd },
		{ .id = UVERBS_ATTR_REG_DMABUF_MR_OFFSET, .length = 8,
		  .data = request->offset },
		{ .id = UVERBS_ATTR_REG_DMABUF_MR_LENGTH, .length = 8,
		  .data = request->length },
		{ .id = UVERBS_ATTR_REG_DMABUF_MR_IOVA, .length = 8,
		  .data = request->iova },
		{ .id = UVERBS_ATTR_REG_DMABUF_MR_FD, .length = 4,
		  .data = (uint32_t)request->fd },
		{ .id = UVERBS_ATTR_REG_DMABUF_MR_RESP_LKEY, .length = 4,
		  .data = (uintptr_t)lkey },
		{ .id = UVERBS_ATTR_REG_DMABUF_MR_RESP_RKEY, .length = 4,
		  .data = (uintptr_t)rkey },
		{ .id = UVERBS_ATTR_REG_DMABUF_MR_ACCESS_FLAGS, .length = 4,
		  .data = request->access },
	};

	memcpy(attributes, description, sizeof(description));
}

int uverbs_register(const struct uverbs *uverbs, uint32_t pd,
		    const struct verbs_request *request, uint32_t *mr,
		    struct verbs_region *region)
{
	struct verbs_region made = {
		.iova = request->iova,
		.length = request->length,
	};
	struct uverbs_attribute attributes[UVERBS_REGISTER_ATTRIBUTES];
	int ret;

	uverbs_describe(attributes, pd, request, &made.lkey, &made.rkey);
	ret = uverbs_call(uverbs, UVERBS_OBJECT_MR,
			  UVERBS_METHOD_REG_DMABUF_MR, attributes,
			  UVERBS_REGISTER_ATTRIBUTES);

	*mr = attributes[0].data;
	if (region)
		*region = made;
	return ret;
}

int uverbs_deregister(const struct uverbs *uverbs, uint32_t mr)
{
	struct uverbs_attribute handle = {
		.id = UVERBS_ATTR_DESTROY_MR_HANDLE,
		.data = mr,
	};

	return uverbs_call(uverbs, UVERBS_OBJECT_MR, UVERBS_METHOD_MR_DESTROY,
			   &handle, 1);
}

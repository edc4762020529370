// SPDX-License-Identifier: GPL-2.0-only
/* Access to an address space by the CPU, in the ways that iommufd has for drivers. */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "space/space.h"

/* Held from a pin to its unpin. */
static DEFINE_MUTEX(pinned);

/* What is unmapped must not be pinned any more; nobody pins for longer than that. */
static void unmap(void *data, unsigned long address, unsigned long length)
{
	mutex_lock(&pinned);
	mutex_unlock(&pinned);
}

static const struct iommufd_access_ops ops = {
	.needs_pin_pages = 1,
	.unmap = unmap,
};

static int copy(const struct space_calls *calls, struct iommufd_access *access,
		const struct peer_space_access *request)
{
	unsigned int flags = request->way == PEER_SPACE_WRITE ?
			     IOMMUFD_ACCESS_RW_WRITE : IOMMUFD_ACCESS_RW_READ;
	void *data = kzalloc(request->length, GFP_KERNEL);
	int ret;

	if (!data)
		return -ENOMEM;
	ret = calls->iommufd_access_rw(access, request->address, data,
				       request->length, flags);
	kfree(data);
	return ret;
}

/* As many pages as a range of PEER_SPACE_LENGTH_MAX may touch. */
static int pin(const struct space_calls *calls, struct iommufd_access *access,
	       const struct peer_space_access *request)
{
	struct page *pages[PEER_SPACE_LENGTH_MAX / PAGE_SIZE + 2];
	int ret;

	mutex_lock(&pinned);
	ret = calls->iommufd_access_pin_pages(access, request->address,
					      request->length, pages,
					      IOMMUFD_ACCESS_RW_READ);
	if (!ret)
		calls->iommufd_access_unpin_pages(access, request->address,
						  request->length);
	mutex_unlock(&pinned);
	return ret;
}

static int access_space(const struct space_calls *calls,
			struct iommufd_ctx *context,
			const struct peer_space_access *request)
{
	struct iommufd_access *access;
	u32 id;
	int ret;

	access = calls->iommufd_access_create(context, &ops, NULL, &id);
	if (IS_ERR(access))
		return PTR_ERR(access);
	ret = calls->iommufd_access_attach(access, request->space);
	if (!ret)
		ret = request->way == PEER_SPACE_PIN ?
		      pin(calls, access, request) : copy(calls, access, request);
	calls->iommufd_access_destroy(access);
	return ret;
}

int ioctl_access(struct peer_file *file, void *argument, void __user *user)
{
	const struct peer_space_access *request = argument;
	struct iommufd_ctx *context;
	struct space_calls calls;
	int ret;

	if (request->reserved || request->way >= PEER_SPACE_WAY_COUNT ||
	    !request->length || request->length > PEER_SPACE_LENGTH_MAX)
		return -EINVAL;
	ret = space_calls_get(&calls);
	if (ret)
		return ret;
	context = calls.iommufd_ctx_from_fd(request->fd);
	if (IS_ERR(context)) {
		ret = PTR_ERR(context);
	} else {
		ret = access_space(&calls, context, request);
		calls.iommufd_ctx_put(context);
	}
	space_calls_put(&calls);
	return ret;
}

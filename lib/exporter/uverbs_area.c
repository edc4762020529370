// SPDX-License-Identifier: GPL-2.0-only
/* Takes memory of RDMA devices and has RDMA core export it. */
#include "exporter/uverbs_area.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "peer/kmod/uapi/dmabuf_peer_rdma.h"

bool uverbs_area_known(const char *driver)
{
	return !strcmp(driver, PEER_RDMA_DRIVER);
}

static int take(const struct uverbs *uverbs, struct uverbs_area *area)
{
	struct uverbs_attribute attributes[] = {
		{ .id = PEER_RDMA_ALLOC_HANDLE },
		{ .id = PEER_RDMA_ALLOC_LENGTH, .length = sizeof(uint64_t),
		  .data = area->size },
		{ .id = PEER_RDMA_ALLOC_OFFSET, .length = sizeof(area->offset),
		  .data = (uintptr_t)&area->offset },
	};
	int ret = uverbs_call(uverbs, PEER_RDMA_AREA, PEER_RDMA_ALLOC,
			      attributes, 3);

	area->handle = attributes[0].data;
	area->live = !ret;
	return ret;
}

int uverbs_area_new(const struct uverbs *uverbs, size_t size,
		    struct uverbs_area *area)
{
	void *bytes;
	int ret;

	*area = (struct uverbs_area){ .size = size };
	ret = take(uverbs, area);
	if (ret)
		return ret;
	bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, uverbs->fd,
		     area->offset);
	if (bytes == MAP_FAILED) {
		ret = -errno;
		uverbs_area_end(uverbs, area);
		return ret;
	}
	area->bytes = bytes;
	return 0;
}

int uverbs_area_end(const struct uverbs *uverbs, struct uverbs_area *area)
{
	struct uverbs_attribute handle = {
		.id = PEER_RDMA_FREE_HANDLE,
		.data = area->handle,
	};
	int ret;

	if (!area->live)
		return 0;
	ret = uverbs_call(uverbs, PEER_RDMA_AREA, PEER_RDMA_FREE, &handle, 1);
	area->live = ret;
	return ret;
}

void uverbs_area_drop(const struct uverbs *uverbs, struct uverbs_area *area)
{
	if (area->bytes)
		munmap(area->bytes, area->size);
	area->bytes = NULL;
	uverbs_area_end(uverbs, area);
}

#define EXPORT_ATTRIBUTES(offset_) { \
		{ .id = RDMA_DMABUF_ALLOC_HANDLE }, \
		{ .id = RDMA_DMABUF_ALLOC_OFFSET, .length = sizeof(uint64_t), \
		  .data = (offset_) }, \
	}

int uverbs_export(const struct uverbs *uverbs, uint64_t offset)
{
	struct uverbs_attribute attributes[] = EXPORT_ATTRIBUTES(offset);
	int ret = uverbs_call(uverbs, RDMA_OBJECT_DMABUF, RDMA_DMABUF_ALLOC,
			      attributes, 2);

	return ret ? ret : (int)attributes[0].data;
}

int uverbs_export_unanswered(const struct uverbs *uverbs, uint64_t offset)
{
	const struct uverbs_attribute attributes[] = EXPORT_ATTRIBUTES(offset);

	return uverbs_call_unanswered(uverbs, RDMA_OBJECT_DMABUF,
				      RDMA_DMABUF_ALLOC, attributes, 2);
}

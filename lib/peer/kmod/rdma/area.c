// SPDX-License-Identifier: GPL-2.0-only
/*
 * Areas: pages of the device that a user has, as an object of the verbs
 * interface. Their entry in the space that can be mapped is what RDMA core
 * exports; it outlives the object while something still uses the pages.
 */
#include <linux/io.h>
#include <linux/kref.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/xarray.h>

#include "rdma/rdma.h"
#include "uapi/dmabuf_peer_rdma.h"

#define UVERBS_MODULE_NAME	dmabuf_peer_rdma
#include <rdma/uverbs_named_ioctl.h>

static_assert(PEER_RDMA_NUMBERS == UVERBS_ID_DRIVER_NS);
static_assert(RDMA_OBJECT_DMABUF == UVERBS_OBJECT_DMABUF);
static_assert(RDMA_DMABUF_ALLOC == UVERBS_METHOD_DMABUF_ALLOC);
static_assert(RDMA_DMABUF_ALLOC_HANDLE == UVERBS_ATTR_ALLOC_DMABUF_HANDLE);
static_assert(RDMA_DMABUF_ALLOC_OFFSET == UVERBS_ATTR_ALLOC_DMABUF_PGOFF);

struct area {
	struct rdma_user_mmap_entry entry;
	unsigned int first;		/* page of the device */
	unsigned int count;
};

static struct area *area_of(struct rdma_user_mmap_entry *entry)
{
	return container_of(entry, struct area, entry);
}

static phys_addr_t area_start(const struct rdma_peer *peer,
			      const struct area *area)
{
	return peer->start + ((phys_addr_t)area->first << PAGE_SHIFT);
}

/* Nobody finds what the last user left. */
static int take_pages(struct rdma_peer *peer, struct area *area)
{
	unsigned long first;

	mutex_lock(&peer->lock);
	first = bitmap_find_next_zero_area(peer->taken, peer->page_count, 0,
					   area->count, 0);
	if (first < peer->page_count)
		bitmap_set(peer->taken, first, area->count);
	mutex_unlock(&peer->lock);
	if (first >= peer->page_count)
		return -ENOSPC;
	area->first = first;
	memset_io(peer->memory + (first << PAGE_SHIFT), 0,
		  (size_t)area->count << PAGE_SHIFT);
	return 0;
}

static void give_pages(struct rdma_peer *peer, const struct area *area)
{
	mutex_lock(&peer->lock);
	bitmap_clear(peer->taken, area->first, area->count);
	mutex_unlock(&peer->lock);
}

static struct area *area_create(struct ib_ucontext *context, u64 length)
{
	struct rdma_peer *peer = rdma_peer_of(context->device);
	struct area *area;
	int ret;

	if (!length || !PAGE_ALIGNED(length) ||
	    length >> PAGE_SHIFT > peer->page_count)
		return ERR_PTR(-EINVAL);
	area = kzalloc(sizeof(*area), GFP_KERNEL_ACCOUNT);
	if (!area)
		return ERR_PTR(-ENOMEM);
	area->count = length >> PAGE_SHIFT;
	ret = take_pages(peer, area);
	if (ret)
		goto free_area;
	ret = rdma_user_mmap_entry_insert(context, &area->entry, length);
	if (ret)
		goto give_pages;
	return area;
give_pages:
	give_pages(peer, area);
free_area:
	kfree(area);
	return ERR_PTR(ret);
}

static int UVERBS_HANDLER(PEER_RDMA_ALLOC)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *object =
		uverbs_attr_get_uobject(attrs, PEER_RDMA_ALLOC_HANDLE);
	struct ib_ucontext *context = ib_uverbs_get_ucontext(attrs);
	struct area *area;
	u64 length, offset;
	int ret;

	if (IS_ERR(context))
		return PTR_ERR(context);
	ret = uverbs_copy_from(&length, attrs, PEER_RDMA_ALLOC_LENGTH);
	if (ret)
		return ret;
	area = area_create(context, length);
	if (IS_ERR(area))
		return PTR_ERR(area);
	object->object = area;
	uverbs_finalize_uobj_create(attrs, PEER_RDMA_ALLOC_HANDLE);
	offset = rdma_user_mmap_get_offset(&area->entry);
	return uverbs_copy_to(attrs, PEER_RDMA_ALLOC_OFFSET, &offset,
			      sizeof(offset));
}

/* Revokes what was exported, and waits until nobody has it mapped. */
static int area_end(struct ib_uobject *object, enum rdma_remove_reason why,
		    struct uverbs_attr_bundle *attrs)
{
	struct area *area = object->object;

	rdma_user_mmap_entry_remove(&area->entry);
	return 0;
}

DECLARE_UVERBS_NAMED_METHOD(
	PEER_RDMA_ALLOC,
	UVERBS_ATTR_IDR(PEER_RDMA_ALLOC_HANDLE, PEER_RDMA_AREA,
			UVERBS_ACCESS_NEW, UA_MANDATORY),
	UVERBS_ATTR_PTR_IN(PEER_RDMA_ALLOC_LENGTH, UVERBS_ATTR_TYPE(u64),
			   UA_MANDATORY),
	UVERBS_ATTR_PTR_OUT(PEER_RDMA_ALLOC_OFFSET, UVERBS_ATTR_TYPE(u64),
			    UA_MANDATORY));

DECLARE_UVERBS_NAMED_METHOD_DESTROY(
	PEER_RDMA_FREE,
	UVERBS_ATTR_IDR(PEER_RDMA_FREE_HANDLE, PEER_RDMA_AREA,
			UVERBS_ACCESS_DESTROY, UA_MANDATORY));

DECLARE_UVERBS_NAMED_OBJECT(PEER_RDMA_AREA, UVERBS_TYPE_ALLOC_IDR(area_end),
			    &UVERBS_METHOD(PEER_RDMA_ALLOC),
			    &UVERBS_METHOD(PEER_RDMA_FREE));

const struct uapi_definition area_definitions[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(PEER_RDMA_AREA),
	{}
};

static int area_mmap(struct ib_ucontext *context, struct vm_area_struct *vma)
{
	struct rdma_peer *peer = rdma_peer_of(context->device);
	struct rdma_user_mmap_entry *entry =
		rdma_user_mmap_entry_get(context, vma);
	int ret;

	if (!entry)
		return -EINVAL;
	ret = rdma_user_mmap_io(context, vma,
				area_start(peer, area_of(entry)) >> PAGE_SHIFT,
				entry->npages << PAGE_SHIFT,
				pgprot_noncached(vma->vm_page_prot), entry);
	rdma_user_mmap_entry_put(entry);
	return ret;
}

static void area_free(struct rdma_user_mmap_entry *entry)
{
	struct area *area = area_of(entry);

	give_pages(rdma_peer_of(entry->ucontext->device), area);
	kfree(area);
}

static int area_get_pfns(struct rdma_user_mmap_entry *entry,
			 struct phys_vec *range,
			 struct p2pdma_provider **provider)
{
	struct rdma_peer *peer = rdma_peer_of(entry->ucontext->device);

	range->paddr = area_start(peer, area_of(entry));
	range->len = entry->npages << PAGE_SHIFT;
	*provider = peer->provider;
	return 0;
}

/*
 * Unlike rdma_user_mmap_entry_get_pgoff() it finds those as well that were
 * removed and are still in use: that they must not be exported any more is for
 * RDMA core to see.
 */
static struct rdma_user_mmap_entry *find_entry(struct ib_ucontext *context,
					       off_t offset)
{
	unsigned long at = offset >> PAGE_SHIFT;
	struct rdma_user_mmap_entry *entry;

	if (offset < 0 || offset_in_page(offset) || at > U32_MAX)
		return NULL;
	xa_lock(&context->mmap_xa);
	entry = xa_load(&context->mmap_xa, at);
	if (entry && (entry->start_pgoff != at ||
		      !kref_get_unless_zero(&entry->ref)))
		entry = NULL;
	xa_unlock(&context->mmap_xa);
	return entry;
}

const struct ib_device_ops area_ops = {
	.mmap = area_mmap,
	.mmap_free = area_free,
	.mmap_get_pfns = area_get_pfns,
	.pgoff_to_mmap_entry = find_entry,
};

// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the device is told of a region: the entries that RDMA core cut out of
 * the exporter's table, and whether its key may be used.
 */
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/err.h>
#include <linux/idr.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "shared/memory.h"
#include "umem/umem.h"

#define ENTRIES_MAX	(1u << 24)

/* Those of all regions: a device has one name space for them. */
static DEFINE_IDA(numbers);

int key_number(struct region *region)
{
	int number = ida_alloc_min(&numbers, 1, GFP_KERNEL);

	if (number < 0)
		return number;
	region->rkey = number;
	return 0;
}

void key_drop(struct region *region)
{
	if (region->rkey)
		ida_free(&numbers, region->rkey);
	region->rkey = 0;
}

void key_set(struct region *region, u32 key)
{
	mutex_lock(&region->access);
	if (region->key != PEER_UMEM_KEY_DEAD)
		region->key = key;
	mutex_unlock(&region->access);
}

void window_free(struct region *region)
{
	kvfree(region->entries);
	peer_memory_uncharge(region->charge);
	region->entries = NULL;
	region->charge = 0;
	region->count = 0;
	region->covered = 0;
}

/* Room for @count entries in place of those that are there. */
static int make_room(struct region *region, u32 count)
{
	size_t size = array_size(count, sizeof(*region->entries));

	window_free(region);
	if (count > ENTRIES_MAX)
		return -EIO;
	if (peer_memory_charge(size))
		return -ENOMEM;
	region->charge = size;
	region->entries = kvzalloc(max_t(size_t, size, 1), GFP_KERNEL_ACCOUNT);
	return region->entries ? 0 : -ENOMEM;
}

/* SGT-04: only DMA address and length. Whether there is a page is for show. */
static void copy_entries(struct region *region, const struct sg_table *window)
{
	const struct sg_table *whole = region->umem->sgt;
	struct peer_table_entry *entry;
	struct scatterlist *sg;
	unsigned int i;

	for_each_sg(window->sgl, sg, window->nents, i) {
		entry = &region->entries[region->count++];
		entry->address = sg_dma_address(sg);
		entry->length = sg_dma_len(sg);
		entry->has_page = whole->orig_nents && sg_page(sg);
		region->covered += entry->length;
	}
}

/* For a mutant: new addresses in pieces of the sizes that were right before. */
static void move_entries(struct region *region, const struct sg_table *window)
{
	struct scatterlist *sg;
	unsigned int i;

	for_each_sg(window->sgl, sg, min(window->nents, region->count), i)
		region->entries[i].address = sg_dma_address(sg);
}

int window_read(struct region *region)
{
	const struct sg_table *window = &region->umem->umem.sgt_append.sgt;
	int ret = 0;

	/* Of what is unmapped RDMA core keeps a list that is gone. */
	if (!region->umem->sgt)
		return -EINVAL;
	mutex_lock(&region->access);
	if (region->key == PEER_UMEM_KEY_DEAD)
		goto unlock;
	if (peer_fault(remap_keeps_addresses) && region->count)
		goto revive;
	if (peer_fault(remap_keeps_layout) && region->count) {
		move_entries(region, window);
		goto revive;
	}
	ret = make_room(region, window->nents);
	if (ret)
		goto unlock;
	copy_entries(region, window);
revive:
	region->key = PEER_UMEM_KEY_LIVE;
unlock:
	mutex_unlock(&region->access);
	return ret;
}

#ifdef PEER_FAULTS

/* RDMA core's map, with a direction and without a wait. */
static int map_by_hand(struct ib_umem_dmabuf *umem, enum dma_data_direction direction)
{
	struct sg_table *table = dma_buf_map_attachment(umem->attach, direction);

	if (IS_ERR_OR_NULL(table))
		return table ? PTR_ERR(table) : -ENOMEM;
	umem->umem.sgt_append.sgt.sgl = table->sgl;
	umem->umem.sgt_append.sgt.nents = table->nents;
	umem->first_sg = NULL;
	umem->last_sg = NULL;
	umem->sgt = table;
	return 0;
}

static int map_again(struct ib_umem_dmabuf *umem)
{
	struct sg_table *table = dma_buf_map_attachment(umem->attach,
							DMA_BIDIRECTIONAL);

	if (IS_ERR_OR_NULL(table))
		return table ? PTR_ERR(table) : -ENOMEM;
	dma_buf_unmap_attachment(umem->attach, table, DMA_BIDIRECTIONAL);
	return 0;
}

static void cut_wrongly(struct ib_umem_dmabuf *umem)
{
	if (peer_fault(window_untrimmed) && umem->last_sg) {
		sg_dma_len(umem->last_sg) += umem->last_sg_trim;
		umem->last_sg_trim = 0;
	}
	if (peer_fault(window_starts_early) && umem->first_sg) {
		sg_dma_address(umem->first_sg) -= umem->first_sg_offset;
		sg_dma_len(umem->first_sg) += umem->first_sg_offset;
		umem->first_sg_offset = 0;
	}
	if (peer_fault(window_short) && umem->umem.sgt_append.sgt.nents > 1)
		umem->umem.sgt_append.sgt.nents--;
}

static int map_pages(struct ib_umem_dmabuf *umem)
{
	bool mapped = umem->sgt;

#ifdef HAVE_UMEM_REVOKE
	if (peer_fault(revoke_undone))
		umem->revoked = 0;
#endif
	if (mapped && peer_fault(second_map_skips_wait))
		return 0;
	if (mapped && peer_fault(second_map_maps))
		return map_again(umem);
	if (!mapped && peer_fault(maps_one_way))
		return map_by_hand(umem, DMA_TO_DEVICE);
	if (!mapped && peer_fault(fences_skipped))
		return map_by_hand(umem, DMA_BIDIRECTIONAL);
	return ib_umem_dmabuf_map_pages(umem);
}

void window_spoil(struct region *region)
{
	struct ib_umem_dmabuf *umem = region->umem;

	cut_wrongly(umem);
	if (!peer_fault(table_not_restored))
		return;
	umem->first_sg = NULL;
	umem->last_sg = NULL;
}

/* What a driver does that does not know it has unmapped already (INV-09). */
static void unmap_pages(struct region *region)
{
	struct ib_umem_dmabuf *umem = region->umem;
	struct sg_table *table = umem->sgt;

	if (table) {
		region->given_up = table;
	} else if (peer_fault(unmap_repeats) && region->given_up) {
		dma_buf_unmap_attachment(umem->attach, region->given_up,
					 DMA_BIDIRECTIONAL);
		return;
	}
	ib_umem_dmabuf_unmap_pages(umem);
}

#else

static int map_pages(struct ib_umem_dmabuf *umem)
{
	return ib_umem_dmabuf_map_pages(umem);
}

void window_spoil(struct region *region)
{
}

static void unmap_pages(struct region *region)
{
	ib_umem_dmabuf_unmap_pages(region->umem);
}

#endif

int window_map(struct region *region)
{
	int ret;

	if (peer_fault(maps_once) && region->key == PEER_UMEM_KEY_SUSPENDED)
		return -EIO;
	ret = map_pages(region->umem);
	region_record(region, PEER_CALL_MAP, ret);
	if (ret)
		return ret;
	window_spoil(region);
	return window_read(region);
}

void window_unmap(struct region *region)
{
	if (!peer_fault(callback_keeps_key) && !peer_fault(unmaps_before_key))
		key_set(region, PEER_UMEM_KEY_SUSPENDED);
	unmap_pages(region);
	region_record(region, PEER_CALL_UNMAP, 0);
	if (peer_fault(unmaps_before_key)) {
		msleep(20);
		key_set(region, PEER_UMEM_KEY_SUSPENDED);
	}
}

static int map_region(struct region *region, struct peer_umem_map *request)
{
	int ret = region_enter(region);

	if (ret)
		return ret;
	ret = window_map(region);
	mutex_lock(&region->access);
	request->nents = region->count;
	request->length = region->covered;
	mutex_unlock(&region->access);
	region_leave(region);
	return ret;
}

int ioctl_map(struct peer_file *file, void *argument, void __user *user)
{
	struct peer_umem_map *request = argument;
	struct region *region = region_get(file, request->handle);
	int ret;

	if (IS_ERR(region))
		return PTR_ERR(region);
	ret = map_region(region, request);
	region_put(region);
	return ret;
}

int ioctl_unmap(struct peer_file *file, void *argument, void __user *user)
{
	const struct peer_handle *request = argument;
	struct region *region;
	int ret;

	if (request->reserved)
		return -EINVAL;
	region = region_get(file, request->handle);
	if (IS_ERR(region))
		return PTR_ERR(region);
	ret = region_enter(region);
	if (ret)
		goto put_region;
	window_unmap(region);
	region_leave(region);
put_region:
	region_put(region);
	return ret;
}

static int copy_table(struct region *region, struct peer_table *request)
{
	struct peer_table_entry *copy;
	int ret = 0;

	copy = kvcalloc(max(request->capacity, 1u), sizeof(*copy), GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	mutex_lock(&region->access);
	request->count = min(request->capacity, region->count);
	if (request->count)
		memcpy(copy, region->entries, request->count * sizeof(*copy));
	mutex_unlock(&region->access);
	if (copy_to_user(u64_to_user_ptr(request->entries), copy,
			 request->count * sizeof(*copy)))
		ret = -EFAULT;
	kvfree(copy);
	return ret;
}

int ioctl_table(struct peer_file *file, void *argument, void __user *user)
{
	struct peer_table *request = argument;
	struct region *region;
	int ret;

	if (request->capacity > PEER_TABLE_ENTRIES_MAX || request->map)
		return -EINVAL;
	region = region_get(file, request->handle);
	if (IS_ERR(region))
		return PTR_ERR(region);
	ret = copy_table(region, request);
	region_put(region);
	return ret;
}

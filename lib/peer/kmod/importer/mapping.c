// SPDX-License-Identifier: GPL-2.0-only
/* map and unmap, and the copy of the addresses that the device works with. */
#include <linux/dma-mapping.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "importer/importer.h"
#include "shared/memory.h"

#define ENTRIES_MAX	(1u << 24)

static void free_mapping(struct kref *ref)
{
	struct mapping *mapping = container_of(ref, struct mapping, ref);

	kvfree(mapping->entries);
	peer_memory_uncharge(mapping->charge);
	kfree(mapping);
}

void mapping_put(struct mapping *mapping)
{
	kref_put(&mapping->ref, free_mapping);
}

static struct mapping *find(struct import *import, u32 id)
{
	struct mapping *mapping;

	list_for_each_entry(mapping, &import->mappings, node)
		if (mapping->id == id)
			return mapping;
	return NULL;
}

struct mapping *mapping_get(struct import *import, u32 id)
{
	struct mapping *mapping;

	mutex_lock(&import->state);
	mapping = find(import, id);
	if (mapping)
		kref_get(&mapping->ref);
	mutex_unlock(&import->state);
	return mapping ?: ERR_PTR(-ENOENT);
}

/* SGT-04: only DMA address and length. Whether there is a page is for show. */
static int copy_entries(struct mapping *mapping, struct sg_table *table)
{
	size_t size = array_size(table->nents, sizeof(*mapping->entries));
	struct peer_table_entry *entry;
	struct scatterlist *sg;
	unsigned int i;

	if (!table->nents || table->nents > ENTRIES_MAX)
		return -EIO;
	if (peer_memory_charge(size))
		return -ENOMEM;
	mapping->charge = size;
	mapping->entries = kvzalloc(size, GFP_KERNEL_ACCOUNT);
	if (!mapping->entries)
		return -ENOMEM;
	for_each_sgtable_dma_sg(table, sg, i) {
		entry = &mapping->entries[mapping->count++];
		entry->address = sg_dma_address(sg);
		entry->length = sg_dma_len(sg);
		entry->has_page = i < table->orig_nents && sg_page(sg);
		mapping->length += entry->length;
	}
	return 0;
}

/* For a mutant: go on with the addresses of the oldest mapping. */
static void copy_old_entries(struct import *import, struct mapping *mapping)
{
	struct mapping *old;

	mutex_lock(&import->state);
	old = list_first_entry_or_null(&import->mappings, struct mapping, node);
	if (old && old->count == mapping->count)
		memcpy(mapping->entries, old->entries,
		       old->count * sizeof(*old->entries));
	mutex_unlock(&import->state);
}

/*
 * FENCE-01: KERNEL fences announce content that is still to come. FENCE-02:
 * after map, as a map may start a move itself. Pinned, pin has waited, and for
 * static importers the core does.
 */
static int wait_for_content(struct import *import)
{
	long left;

	if (import->mode == PEER_MODE_STATIC || import->pins)
		return 0;
	if (peer_fault(skips_kernel_wait))
		return 0;
	left = dma_resv_wait_timeout(import->resv, DMA_RESV_USAGE_KERNEL,
				     true, msecs_to_jiffies(PEER_TIMEOUT_MS_MAX));
	return left > 0 ? 0 : left ?: -ETIMEDOUT;
}

static struct mapping *new_mapping(enum dma_data_direction direction)
{
	struct mapping *mapping = kzalloc(sizeof(*mapping), GFP_KERNEL_ACCOUNT);

	if (!mapping)
		return NULL;
	kref_init(&mapping->ref);
	mutex_init(&mapping->lock);
	mapping->direction = direction;
	return mapping;
}

/* Also says which older mapping has the same table, if any. */
static int add(struct import *import, struct mapping *mapping, u32 *same_as)
{
	struct mapping *other;
	int ret = 0;

	*same_as = 0;
	mutex_lock(&import->state);
	if (import->maps >= PEER_MAPS_MAX) {
		ret = -ENOSPC;
		goto unlock;
	}
	list_for_each_entry(other, &import->mappings, node)
		if (other->table == mapping->table)
			*same_as = other->id;
	mapping->id = ++import->last_map;
	import->maps++;
	list_add_tail(&mapping->node, &import->mappings);
unlock:
	mutex_unlock(&import->state);
	return ret;
}

static int map_table(struct import *import, struct mapping *mapping, u32 *same_as)
{
	struct sg_table *table;
	int ret;

	if (peer_fault(waits_before_map)) {
		ret = wait_for_content(import);
		if (ret)
			return ret;
	}
	/* MAP-01; the mutant calls without the reservation. */
	if (peer_fault(map_unlocked))
		import_unlock(import);
	if (peer_fault(maps_atomically))
		preempt_disable();
	table = dma_buf_map_attachment(import->core, mapping->direction);
	if (peer_fault(maps_atomically))
		preempt_enable();
	if (peer_fault(map_unlocked))
		dma_resv_lock(import->resv, NULL);
	/* MAP-12: the core turns NULL into an error, but who knows. */
	if (IS_ERR_OR_NULL(table))
		return table ? PTR_ERR(table) : -ENOMEM;
	mapping->table = table;
	ret = copy_entries(mapping, table);
	if (!ret && !peer_fault(waits_before_map))
		ret = wait_for_content(import);
	if (!ret)
		ret = add(import, mapping, same_as);
	if (ret)
		dma_buf_unmap_attachment(import->core, table, mapping->direction);
	return ret;
}

static void answer(struct import *import, const struct mapping *mapping,
		   struct peer_map *request)
{
	request->map = mapping->id;
	request->nents = mapping->table->nents;
	request->orig_nents = mapping->table->orig_nents;
	request->length = mapping->length;
	request->priv_changed = import->core->priv != import->exporter_private;
}

int map(struct import *import, struct peer_map *request)
{
	struct mapping *mapping = new_mapping(request->direction);
	int ret;

	if (!mapping)
		return -ENOMEM;
	ret = map_table(import, mapping, &request->same_as);
	import_record(import, PEER_CALL_MAP, request->direction, ret);
	if (ret) {
		mapping_put(mapping);
		return ret;
	}
	if (peer_fault(ignores_notify))
		copy_old_entries(import, mapping);
	answer(import, mapping, request);
	return 0;
}

/* SGT-05: what a driver does that trims a table and gives it back so. */
static void trim(struct sg_table *table)
{
	if (sg_dma_len(table->sgl) > PAGE_SIZE)
		sg_dma_len(table->sgl) -= PAGE_SIZE;
	else
		sg_dma_address(table->sgl) += SZ_512;
}

static enum dma_data_direction other(enum dma_data_direction direction)
{
	return direction == DMA_BIDIRECTIONAL ? DMA_TO_DEVICE : DMA_BIDIRECTIONAL;
}

/* Waits for bytes that are under way; no more will start. */
void mapping_kill(struct mapping *mapping)
{
	mutex_lock(&mapping->lock);
	mapping->dead = true;
	mutex_unlock(&mapping->lock);
}

/* The mapping is off the list, so nobody else unmaps it. */
static void unmap_claimed(struct import *import, struct mapping *mapping)
{
	enum dma_data_direction direction = mapping->direction;

	if (peer_fault(writes_after_fence))
		transfer_write_late(import, mapping);
	mapping_kill(mapping);
	if (peer_fault(table_trimmed))
		trim(mapping->table);
	if (peer_fault(unmap_other_direction))
		direction = other(direction);
	dma_buf_unmap_attachment(import->core, mapping->table, direction);
	import->given_up = mapping->table;
	import->given_up_direction = direction;
	import_record(import, PEER_CALL_UNMAP, direction, 0);
	mapping_put(mapping);
}

static struct mapping *claim(struct import *import, struct mapping *mapping)
{
	if (!mapping)
		return NULL;
	list_del(&mapping->node);
	import->maps--;
	return mapping;
}

int unmap(struct import *import, u32 id)
{
	struct mapping *mapping;

	mutex_lock(&import->state);
	mapping = claim(import, find(import, id));
	mutex_unlock(&import->state);
	if (!mapping)
		return -ENOENT;
	unmap_claimed(import, mapping);
	return 0;
}

static struct mapping *claim_any(struct import *import, bool stale_only)
{
	struct mapping *mapping, *found = NULL;

	mutex_lock(&import->state);
	list_for_each_entry(mapping, &import->mappings, node) {
		if (stale_only && !mapping->stale)
			continue;
		found = mapping;
		break;
	}
	found = claim(import, found);
	mutex_unlock(&import->state);
	return found;
}

unsigned int unmap_all(struct import *import, bool stale_only)
{
	struct mapping *mapping;
	unsigned int count = 0;

	while ((mapping = claim_any(import, stale_only))) {
		unmap_claimed(import, mapping);
		count++;
	}
	return count;
}

int check_map(const struct peer_map *request)
{
	if (request->direction > PEER_NONE || request->timeout_ms)
		return -EINVAL;
	return 0;
}

static int map_with_lock(struct import *import, struct peer_map *request)
{
	int ret = import_lock(import);

	if (ret)
		return ret;
	ret = map(import, request);
	import_unlock(import);
	return ret;
}

static int unmap_with_lock(struct import *import, u32 id)
{
	int ret = import_lock(import);

	if (ret)
		return ret;
	ret = unmap(import, id);
	import_unlock(import);
	return ret;
}

/* User space will never learn the id, so the mapping must not stay. */
static void take_back(struct import *import, u32 id)
{
	dma_resv_lock(import->resv, NULL);
	if (import->live)
		unmap(import, id);
	dma_resv_unlock(import->resv);
}

int ioctl_map(struct peer_file *file, void *argument, void __user *user)
{
	struct peer_map *request = argument;
	struct import *import;
	int ret;

	ret = check_map(request);
	if (ret)
		return ret;
	import = import_get(file, request->handle);
	if (IS_ERR(import))
		return PTR_ERR(import);
	ret = map_with_lock(import, request);
	if (!ret && copy_to_user(user, request, sizeof(*request))) {
		take_back(import, request->map);
		ret = -EFAULT;
	}
	import_put(import);
	if (ret && peer_fault(errno_masked))
		return -EINVAL;
	if (ret == -ERESTARTSYS && peer_fault(interrupt_masked))
		return -EIO;
	return ret;
}

int ioctl_unmap(struct peer_file *file, void *argument, void __user *user)
{
	const struct peer_unmap *request = argument;
	struct import *import = import_get(file, request->handle);
	int ret;

	if (IS_ERR(import))
		return PTR_ERR(import);
	ret = unmap_with_lock(import, request->map);
	import_put(import);
	return ret;
}

/*
 * The table as it is now: from map to unmap nobody may change it (SGT-03). Of
 * a mapping that is gone, what it was.
 */
static void read_table(struct mapping *mapping, struct peer_table_entry *entries,
		       unsigned int count)
{
	struct scatterlist *sg;
	unsigned int i;

	memcpy(entries, mapping->entries, count * sizeof(*entries));
	mutex_lock(&mapping->lock);
	if (mapping->dead)
		goto unlock;
	for_each_sg(mapping->table->sgl, sg, count, i) {
		entries[i].address = sg_dma_address(sg);
		entries[i].length = sg_dma_len(sg);
	}
unlock:
	mutex_unlock(&mapping->lock);
}

static int copy_table(struct import *import, struct peer_table *request)
{
	struct mapping *mapping = mapping_get(import, request->map);
	struct peer_table_entry *entries;
	int ret = 0;

	if (IS_ERR(mapping))
		return PTR_ERR(mapping);
	request->count = min(request->capacity, mapping->count);
	entries = kvcalloc(max(request->count, 1u), sizeof(*entries), GFP_KERNEL);
	if (!entries) {
		ret = -ENOMEM;
		goto put_mapping;
	}
	read_table(mapping, entries, request->count);
	if (copy_to_user(u64_to_user_ptr(request->entries), entries,
			 request->count * sizeof(*entries)))
		ret = -EFAULT;
	kvfree(entries);
put_mapping:
	mapping_put(mapping);
	return ret;
}

int ioctl_table(struct peer_file *file, void *argument, void __user *user)
{
	struct peer_table *request = argument;
	struct import *import;
	int ret;

	if (request->capacity > PEER_TABLE_ENTRIES_MAX)
		return -EINVAL;
	import = import_get(file, request->handle);
	if (IS_ERR(import))
		return PTR_ERR(import);
	ret = copy_table(import, request);
	import_put(import);
	return ret;
}

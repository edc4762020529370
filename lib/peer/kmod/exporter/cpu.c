// SPDX-License-Identifier: GPL-2.0-only
/* What the CPU does with a buffer: mmap, vmap, begin and end of access. */
#include <linux/dma-mapping.h>
#include <linux/iosys-map.h>
#include <linux/mm.h>
#include <linux/vmalloc.h>

#include "compat.h"
#include "exporter/exporter.h"

static void sync_mapping(struct device *device, struct mapping *mapping,
			 bool for_cpu)
{
	if (for_cpu)
		dma_sync_sgtable_for_cpu(device, &mapping->backing,
					 mapping->direction);
	else
		dma_sync_sgtable_for_device(device, &mapping->backing,
					    mapping->direction);
}

/* CPU-02, for devices that do not snoop. */
static void sync_all(struct peer_buffer *buffer, bool for_cpu)
{
	struct attachment *attachment;
	struct mapping *mapping;

	mutex_lock(&buffer->state);
	list_for_each_entry(attachment, &buffer->attachments, node)
		list_for_each_entry(mapping, &attachment->mappings, node)
			if (!mapping->backing_gone)
				sync_mapping(attachment->core->dev, mapping,
					     for_cpu);
	mutex_unlock(&buffer->state);
}

static enum dma_data_direction seen_direction(enum dma_data_direction direction)
{
	if (direction == DMA_BIDIRECTIONAL)
		return peer_fault(cpu_both_is_one) ? DMA_TO_DEVICE : direction;
	if (!peer_fault(cpu_direction_swapped))
		return direction;
	return direction == DMA_TO_DEVICE ? DMA_FROM_DEVICE : DMA_TO_DEVICE;
}

int exporter_begin_cpu(struct dma_buf *dmabuf, enum dma_data_direction direction)
{
	struct peer_buffer *buffer = dmabuf->priv;
	struct visit visit;
	int ret;

	visit_begin(&visit, buffer, NULL, PEER_CALL_BEGIN_CPU);
	visit.event.direction = seen_direction(direction);
	ret = fails_now(buffer, PEER_FAIL_BEGIN_CPU);
	if (!ret)
		sync_all(buffer, true);
	return visit_end(&visit, ret);
}

int exporter_end_cpu(struct dma_buf *dmabuf, enum dma_data_direction direction)
{
	struct peer_buffer *buffer = dmabuf->priv;
	struct visit visit;

	visit_begin(&visit, buffer, NULL, peer_fault(cpu_end_begins) ?
		    PEER_CALL_BEGIN_CPU : PEER_CALL_END_CPU);
	visit.event.direction = seen_direction(direction);
	sync_all(buffer, false);
	return visit_end(&visit, 0);
}

/*
 * A mapping of user space has the buffer's file, so while one is counted the
 * file, and with it what unmap_mapping_range() needs, is there.
 */
static void vma_open(struct vm_area_struct *vma)
{
	struct peer_buffer *buffer = vma->vm_private_data;

	mutex_lock(&buffer->state);
	buffer->vmas++;
	mutex_unlock(&buffer->state);
}

static void vma_close(struct vm_area_struct *vma)
{
	struct peer_buffer *buffer = vma->vm_private_data;

	mutex_lock(&buffer->state);
	buffer->vmas--;
	mutex_unlock(&buffer->state);
}

/* The page of the place where the storage is now; a move takes it away. */
static vm_fault_t vma_fault(struct vm_fault *vmf)
{
	struct vm_area_struct *vma = vmf->vma;
	struct peer_buffer *buffer = vma->vm_private_data;
	pgoff_t index = vmf->pgoff;
	vm_fault_t ret = VM_FAULT_SIGBUS;
	struct page **pages;

	if (peer_fault(mmap_ignores_pgoff))
		index -= vma->vm_pgoff;
	mutex_lock(&buffer->state);
	pages = buffer->places[buffer->placement].pages;
	if (peer_fault(mmap_shows_copy) &&
	    !place_ready(buffer, PEER_PLACE_OTHER))
		pages = buffer->places[PEER_PLACE_OTHER].pages;
	if (index < buffer->page_count)
		ret = vmf_insert_pfn(vma, vmf->address,
				     page_to_pfn(pages[index]));
	mutex_unlock(&buffer->state);
	return ret;
}

static const struct vm_operations_struct vma_ops = {
	.open = vma_open,
	.close = vma_close,
	.fault = vma_fault,
};

/* LIFE-01: for a mutant; who still has the buffer finds it as it was. */
static void release_early(struct peer_buffer *buffer)
{
	record(buffer, PEER_CALL_RELEASE, 0);
	mutex_lock(&buffer->state);
	buffer->released = true;
	mutex_unlock(&buffer->state);
}

int exporter_mmap(struct dma_buf *dmabuf, struct vm_area_struct *vma)
{
	struct peer_buffer *buffer = dmabuf->priv;
	struct visit visit;

	if (peer_fault(mmap_called_locked))
		dma_resv_lock(&buffer->resv, NULL);
	visit_begin(&visit, buffer, NULL, PEER_CALL_MMAP);
	if (peer_fault(mmap_called_locked))
		dma_resv_unlock(&buffer->resv);
	if (peer_fault(released_at_mmap))
		release_early(buffer);
	/* A private copy of a page frame would be neither here nor there. */
	if (!(vma->vm_flags & VM_MAYSHARE))
		return visit_end(&visit, -EINVAL);
	peer_vm_flags_set(vma, VM_PFNMAP | VM_DONTEXPAND | VM_DONTDUMP);
	vma->vm_private_data = buffer;
	vma->vm_ops = &vma_ops;
	vma_open(vma);
	return visit_end(&visit, 0);
}

/* CPU-05: from here to vunmap the storage stays. */
int exporter_vmap(struct dma_buf *dmabuf, struct iosys_map *map)
{
	struct peer_buffer *buffer = dmabuf->priv;
	struct visit visit;
	void *address;

	visit_begin(&visit, buffer, NULL, PEER_CALL_VMAP);
	if (peer_fault(vmap_wants_lock) && dma_resv_is_locked(&buffer->resv))
		return visit_end(&visit, -EDEADLK);
	mutex_lock(&buffer->state);
	address = vmap(buffer->places[buffer->placement].pages,
		       buffer->page_count, VM_MAP, PAGE_KERNEL);
	if (address && !peer_fault(vmap_lets_move))
		buffer->vmaps++;
	mutex_unlock(&buffer->state);
	if (!address)
		return visit_end(&visit, -ENOMEM);
	iosys_map_set_vaddr(map, address);
	return visit_end(&visit, 0);
}

void exporter_vunmap(struct dma_buf *dmabuf, struct iosys_map *map)
{
	struct peer_buffer *buffer = dmabuf->priv;
	struct visit visit;

	visit_begin(&visit, buffer, NULL, PEER_CALL_VUNMAP);
	vunmap(map->vaddr);
	mutex_lock(&buffer->state);
	if (buffer->vmaps)
		buffer->vmaps--;
	mutex_unlock(&buffer->state);
	visit_end(&visit, 0);
}

// SPDX-License-Identifier: GPL-2.0-only
/* Faults of exporters without hardware: udmabuf, heaps, PRIME and videobuf2. */
#include <linux/dma-buf.h>
#include <linux/dma-direction.h>
#include <linux/dma-mapping.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/mm.h>
#include <linux/sched.h>

#include <drm/drm_device.h>
#include <drm/drm_gem.h>

#include "core/alter.h"

/* ---- udmabuf ------------------------------------------------------------ */

static void note_command(struct altered_call *call)
{
	call->note[0] = call->argument[1];
}

static void find_sealed(struct altered_call *call)
{
	if (call->note[0] != F_GET_SEALS || (long)call->result < 0)
		return;
	call->result |= F_SEAL_SHRINK;
	call->result &= ~(F_SEAL_WRITE | F_SEAL_FUTURE_WRITE);
}

static void note_folios(struct altered_call *call)
{
	call->note[0] = call->argument[3];
}

static void swap_folios(struct altered_call *call)
{
	struct folio **folios = (void *)call->note[0];

	if ((long)call->result > 1)
		swap(folios[0], folios[1]);
}

/* ---- heaps --------------------------------------------------------------- */

static void add_page(struct altered_call *call)
{
	call->argument[1] += PAGE_SIZE;
}

/* The task that allocates for a heap. */
static const struct task_struct *heap_user;

static void begin_allocation(struct altered_call *call)
{
	WRITE_ONCE(heap_user, current);
}

static void end_allocation(struct altered_call *call)
{
	WRITE_ONCE(heap_user, NULL);
}

static void want_any_bytes(struct altered_call *call)
{
	if (READ_ONCE(heap_user) == current)
		call->argument[0] &= ~(unsigned long)__GFP_ZERO;
}

/* ---- PRIME ---------------------------------------------------------------- */

static void take_both_ways(struct altered_call *call)
{
	if ((u32)call->argument[1] == DMA_NONE)
		call->argument[1] = DMA_BIDIRECTIONAL;
}

static void give_both_ways(struct altered_call *call)
{
	if ((u32)call->argument[2] == DMA_NONE)
		call->argument[2] = DMA_BIDIRECTIONAL;
}

static int pin_nothing(struct dma_buf_attachment *attach)
{
	return 0;
}

static void unpin_nothing(struct dma_buf_attachment *attach)
{
}

/* The operations of all drivers that export alike; they differ in no run. */
static struct dma_buf_ops pinning;

static void add_pin(struct altered_call *call)
{
	struct dma_buf *dmabuf = (void *)call->result;

	if (IS_ERR(dmabuf))
		return;
	pinning = *dmabuf->ops;
	pinning.pin = pin_nothing;
	pinning.unpin = unpin_nothing;
	dmabuf->ops = &pinning;
}

static void deny(struct altered_call *call)
{
	call->result = false;
}

static void note_handle(struct altered_call *call)
{
	call->note[0] = call->argument[3];
}

static void shift_every_second(struct altered_call *call)
{
	static bool second;

	if (!call->result && second)
		++*(u32 *)call->note[0];
	second = !second;
}

/* Of any DRM device, until another is there. */
static bool unplugged;

static void note_unplug(struct altered_call *call)
{
	WRITE_ONCE(unplugged, true);
}

static void forget_unplug(struct altered_call *call)
{
	WRITE_ONCE(unplugged, false);
}

static void miss_device(struct altered_call *call)
{
	if (READ_ONCE(unplugged))
		call->result = -ENODEV;
}

static void note_first(struct altered_call *call)
{
	call->note[0] = call->argument[0];
}

static void want_handle(struct altered_call *call)
{
	const struct dma_buf *dmabuf = (void *)call->note[0];
	const struct drm_gem_object *object = dmabuf->priv;

	if (!object->handle_count)
		call->result = -EIO;
}

/* drm_gem_handle_create_tail(file, object, handle) */
static void leave_own_reservation(struct altered_call *call)
{
	struct drm_gem_object *object = (void *)call->argument[1];

	if (object->import_attach)
		object->resv = &object->_resv;
}

/* drm_gem_prime_fd_to_handle(device, file, descriptor, handle) */
static void take_file(struct altered_call *call)
{
	call->note[0] = (unsigned long)fget(call->argument[2]);
}

static void keep_file_if_failed(struct altered_call *call)
{
	struct file *file = (void *)call->note[0];

	if (file && !call->result)
		fput(file);
}

static void fail_after_failure(struct altered_call *call)
{
	static bool failed;
	bool again = failed;

	failed = call->result;
	if (again && !failed)
		call->result = -EIO;
}

static void fault_if_gone(struct altered_call *call)
{
	const struct vm_fault *fault = (void *)call->note[0];
	const struct drm_gem_object *object = fault->vma->vm_private_data;

	if (object->dev->unplugged)
		call->result = VM_FAULT_SIGBUS;
}

static void mmap_unless_gone(struct altered_call *call)
{
	const struct dma_buf *dmabuf = (void *)call->note[0];
	const struct drm_gem_object *object = dmabuf->priv;

	if (object->dev->unplugged)
		call->result = -ENODEV;
}

static void attach_unless_gone(struct altered_call *call)
{
	const struct dma_buf *dmabuf = (void *)call->note[0];
	const struct drm_gem_object *object = dmabuf->priv;

	if (object->dev->unplugged && !call->result)
		call->result = -EIO;
}

/* ---- videobuf2 ------------------------------------------------------------ */

/* What hangs on an attachment to memory of videobuf2-vmalloc. */
struct kept_table {
	struct sg_table table;
	enum dma_data_direction direction;
};

static void end_mapping(struct altered_call *call)
{
	struct dma_buf_attachment *attach = (void *)call->argument[0];
	struct kept_table *kept = attach->priv;

	if (kept->direction == DMA_NONE)
		return;
	dma_unmap_sgtable(attach->dev, &kept->table, kept->direction, 0);
	kept->direction = DMA_NONE;
}

static const struct alteration rows[] = {
	ALTER(udmabuf_forgets_seals, "memfd_fcntl", note_command, find_sealed),
	ALTER(udmabuf_swaps_pages, "memfd_pin_folios", note_folios, swap_folios),
	ALTER(heap_rounds_more, "system_heap_allocate", add_page, NULL),
	ALTER(heap_gives_old_bytes, "system_heap_allocate", begin_allocation, end_allocation),
	ALTER(heap_gives_old_bytes, "__alloc_frozen_pages_noprof", want_any_bytes, NULL),
	ALTER(prime_maps_nothing, "drm_gem_map_dma_buf", take_both_ways, NULL),
	ALTER(prime_maps_nothing, "drm_gem_unmap_dma_buf", give_both_ways, NULL),
	ALTER(prime_pins, "drm_gem_dmabuf_export", NULL, add_pin),
	ALTER(prime_handles_differ, "drm_gem_prime_fd_to_handle", note_handle, shift_every_second),
	ALTER(prime_forgets_own, "drm_gem_is_prime_exported_dma_buf", NULL, deny),
	ALTER(unplug_spoils, "drm_dev_unplug", note_unplug, NULL),
	ALTER(unplug_spoils, "drm_dev_register", forget_unplug, NULL),
	ALTER(unplug_spoils, "dma_buf_llseek", NULL, miss_device),
	SKIP(prime_remembers_handle, "drm_prime_remove_buf_handle"),
	ALTER(prime_wants_handle, "drm_gem_dmabuf_mmap", note_first, want_handle),
	ALTER(prime_shares_no_reservation, "drm_gem_handle_create_tail", leave_own_reservation, NULL),
	SKIP(prime_never_pins, "drm_gem_map_attach"),
	SKIP(prime_never_pins, "drm_gem_map_detach"),
	SKIP(prime_keeps_pin, "drm_gem_map_detach"),
	ALTER(prime_keeps_failed, "drm_gem_prime_fd_to_handle", take_file, keep_file_if_failed),
	ALTER(prime_remembers_failure, "drm_gem_prime_fd_to_handle", NULL, fail_after_failure),
	ALTER(gone_faults, "drm_gem_shmem_fault", note_first, fault_if_gone),
	ALTER(gone_has_no_mmap, "drm_gem_dmabuf_mmap", note_first, mmap_unless_gone),
	ALTER(gone_says_eio, "drm_gem_map_attach", note_first, attach_unless_gone),
	REPLACE(gone_says_eio, "drm_ioctl", -ENODEV, -EIO),
	ALTER(videobuf2_unmaps, "vb2_vmalloc_dmabuf_ops_unmap", end_mapping, NULL),
};

const struct alteration_list software_alterations = { rows, ARRAY_SIZE(rows) };

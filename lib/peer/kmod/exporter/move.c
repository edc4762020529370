// SPDX-License-Identifier: GPL-2.0-only
/*
 * Moving the storage: notify, wait for the fences, copy, poison the old place.
 * Mappings stay valid until unmap; after a move they show the poison (MAP-05).
 */
#include <linux/delay.h>
#include <linux/dma-resv.h>
#include <linux/err.h>
#include <linux/mm.h>

#include "exporter/exporter.h"
#include "shared/lock.h"

#define MOVE_FLAGS	(PEER_MOVE_FORCE | PEER_MOVE_EVICT | \
			 PEER_MOVE_SLOW_FENCE | PEER_MOVE_AT_MAP)

int wait_for_fences(struct peer_buffer *buffer, enum dma_resv_usage usage)
{
	long left = dma_resv_wait_timeout(&buffer->resv, usage, true,
					  msecs_to_jiffies(PEER_TIMEOUT_MS_MAX));
	int ret = left > 0 ? 0 : left ?: -ETIMEDOUT;

	record(buffer, PEER_CALL_FENCE_WAIT, ret);
	return ret;
}

/* INV-06: an importer may still write until its fences, of any usage, retire. */
static int wait_for_importers(struct peer_buffer *buffer)
{
	if (peer_fault(reuse_before_fences))
		return 0;
	if (peer_fault(waits_kernel_only))
		return wait_for_fences(buffer, DMA_RESV_USAGE_KERNEL);
	return wait_for_fences(buffer, DMA_RESV_USAGE_BOOKKEEP);
}

int wait_for_copy(struct peer_buffer *buffer)
{
	struct dma_fence *fence;
	long left;

	spin_lock(&buffer->copy_lock);
	fence = dma_fence_get(buffer->copy_fence);
	spin_unlock(&buffer->copy_lock);
	if (!fence)
		return 0;
	left = dma_fence_wait_timeout(fence, true,
				      msecs_to_jiffies(PEER_TIMEOUT_MS_MAX));
	dma_fence_put(fence);
	return left > 0 ? 0 : left ?: -ETIMEDOUT;
}

/* User space must fault again to find the new place; .state is held. */
static void zap_user_mappings(struct peer_buffer *buffer)
{
	if (buffer->vmas)
		unmap_mapping_range(buffer->dmabuf->file->f_mapping, 0, 0, 1);
}

static void unmap_early(struct peer_buffer *buffer)
{
	struct attachment *attachment;
	struct mapping *mapping;

	list_for_each_entry(attachment, &buffer->attachments, node)
		list_for_each_entry(mapping, &attachment->mappings, node)
			mapping_unmap(mapping, attachment->core->dev);
}

static void leave_place(struct peer_buffer *buffer, u32 to)
{
	zap_user_mappings(buffer);
	if (peer_fault(unmaps_at_move))
		unmap_early(buffer);
	buffer->left = buffer->placement;
	buffer->placement = to;
	if (peer_fault(resv_changes))
		buffer->dmabuf->resv = &buffer->other_resv;
	if (peer_fault(size_changes))
		buffer->dmabuf->size -= PAGE_SIZE;
}

/* Whether something holds the storage where it is; .state is held. */
static bool stays(const struct peer_buffer *buffer, u32 flags)
{
	bool pinned = buffer->pins && !peer_fault(moves_while_pinned);

	return (pinned || buffer->vmaps) && !(flags & PEER_MOVE_FORCE);
}

/*
 * Asks again whether the storage may go: up to 6.1 vmap comes without the
 * reservation, so also while a move waits for fences.
 */
static int switch_place(struct peer_buffer *buffer, u32 to, u32 flags)
{
	int ret = 0;

	flush_delayed_work(&buffer->copy);
	mutex_lock(&buffer->state);
	if (stays(buffer, flags)) {
		ret = -EBUSY;
		goto unlock;
	}
	leave_place(buffer, to);
	place_copy(buffer, buffer->left, to);
	place_fill(buffer, buffer->left, PEER_POISON);
unlock:
	mutex_unlock(&buffer->state);
	return ret;
}

static int move_plain(struct peer_buffer *buffer, u32 to, u32 flags)
{
	bool late = peer_fault(notify_after_move);
	bool silent = peer_fault(move_without_notify) ||
		      (peer_fault(unpin_no_notify) && buffer->pinned_before);
	int ret;

	if (!silent && !late)
		notify(buffer);
	ret = wait_for_importers(buffer);
	if (!ret)
		ret = switch_place(buffer, to, flags);
	if (!ret && late)
		notify(buffer);
	return ret;
}

/* What memory pressure does: a path of its own, as in real drivers (INV-01). */
static int evict(struct peer_buffer *buffer, u32 to, u32 flags)
{
	int ret;

	if (!peer_fault(evict_without_notify))
		notify(buffer);
	ret = wait_for_importers(buffer);
	return ret ?: switch_place(buffer, to, flags);
}

/* A mutant; bounded, as whoever holds the lock may wait for this very copy. */
static void wait_for_reservation(struct peer_buffer *buffer)
{
	int tries;

	for (tries = 0; tries < 500; tries++) {
		if (dma_resv_trylock(&buffer->resv)) {
			dma_resv_unlock(&buffer->resv);
			return;
		}
		msleep(10);
	}
}

void finish_copy(struct work_struct *work)
{
	struct peer_buffer *buffer = container_of(to_delayed_work(work),
						  struct peer_buffer, copy);
	struct dma_fence *fence;

	if (peer_fault(copy_needs_lock))
		wait_for_reservation(buffer);
	place_copy(buffer, buffer->copy_from, buffer->copy_to);
	place_fill(buffer, buffer->copy_from, PEER_POISON);
	spin_lock(&buffer->copy_lock);
	fence = buffer->copy_fence;
	buffer->copy_fence = NULL;
	spin_unlock(&buffer->copy_lock);
	dma_fence_signal(fence);
	dma_fence_put(fence);
	record(buffer, PEER_CALL_MOVE_END, 0);
}

/* Until the copy is made the new place shows poison. */
static int start_copy(struct peer_buffer *buffer, u32 to, u32 flags,
		      struct dma_fence *fence)
{
	flush_delayed_work(&buffer->copy);
	mutex_lock(&buffer->state);
	if (stays(buffer, flags)) {
		mutex_unlock(&buffer->state);
		return -EBUSY;
	}
	leave_place(buffer, to);
	place_fill(buffer, to, PEER_POISON);
	buffer->copy_from = buffer->left;
	buffer->copy_to = to;
	mutex_unlock(&buffer->state);
	spin_lock(&buffer->copy_lock);
	buffer->copy_fence = fence;
	spin_unlock(&buffer->copy_lock);
	/* FENCE-03: before the reservation is dropped. */
	if (!peer_fault(slow_move_without_fence))
		dma_resv_add_fence(&buffer->resv, fence, DMA_RESV_USAGE_KERNEL);
	return 0;
}

static int move_slowly(struct peer_buffer *buffer, u32 to, u32 flags,
		       u32 fence_ms)
{
	struct dma_fence *fence;
	int ret;

	notify(buffer);
	ret = wait_for_importers(buffer);
	if (ret)
		return ret;
	fence = peer_fence_create();
	if (!fence)
		return -ENOMEM;
	ret = dma_resv_reserve_fences(&buffer->resv, 1);
	if (!ret)
		ret = start_copy(buffer, to, flags, fence);
	if (ret) {
		dma_fence_signal(fence);
		dma_fence_put(fence);
		return ret;
	}
	peer_run_after(&buffer->copy, fence_ms);
	return 0;
}

/* Returns 1 if there is something to do. */
static int may_move(struct peer_buffer *buffer, u32 to, u32 flags)
{
	if (buffer->released)
		return -ENODEV;
	if (buffer->policy == PEER_POLICY_STATIC)
		return -EOPNOTSUPP;
	if (buffer->revoked)
		return -ENODEV;
	if (buffer->placement == to)
		return 0;
	if (stays(buffer, flags))
		return -EBUSY;
	return place_ready(buffer, to) ?: 1;
}

int move_storage(struct peer_buffer *buffer, u32 placement, u32 flags,
		 u32 fence_ms)
{
	bool slow = flags & PEER_MOVE_SLOW_FENCE;
	int ret;

	mutex_lock(&buffer->state);
	ret = may_move(buffer, placement, flags);
	mutex_unlock(&buffer->state);
	if (ret <= 0)
		return ret;
	/* An importer that calls without it breaks LOCK-01, and not us. */
	if (peer_lock_state(&buffer->resv) != PEER_LOCK_CALLER)
		return -EINVAL;
	record(buffer, PEER_CALL_MOVE_BEGIN, 0);
	if (flags & PEER_MOVE_EVICT)
		ret = evict(buffer, placement, flags);
	else if (slow)
		ret = move_slowly(buffer, placement, flags, fence_ms);
	else
		ret = move_plain(buffer, placement, flags);
	/* A slow move ends in finish_copy(). */
	if (ret || !slow)
		record(buffer, PEER_CALL_MOVE_END, ret);
	return ret;
}

int move_at_map(struct peer_buffer *buffer)
{
	struct peer_move armed;
	bool now;

	mutex_lock(&buffer->state);
	armed = buffer->armed;
	now = armed.handle && (armed.flags & PEER_MOVE_FORCE ||
			       (!buffer->pins && !buffer->vmaps));
	if (now)
		buffer->armed.handle = 0;
	mutex_unlock(&buffer->state);
	if (!now)
		return 0;
	return move_storage(buffer, armed.placement, armed.flags,
			    armed.fence_ms);
}

static int arm(struct peer_buffer *buffer, const struct peer_move *request)
{
	int ret = 0;

	mutex_lock(&buffer->state);
	if (buffer->released)
		ret = -ENODEV;
	else if (buffer->policy == PEER_POLICY_STATIC)
		ret = -EOPNOTSUPP;
	else
		buffer->armed = *request;
	mutex_unlock(&buffer->state);
	return ret;
}

static int move_now(struct peer_buffer *buffer, const struct peer_move *request)
{
	int ret = buffer_lock(buffer);

	if (ret)
		return ret;
	ret = move_storage(buffer, request->placement, request->flags,
			   request->fence_ms);
	buffer_unlock(buffer);
	return ret;
}

static int check_move(const struct peer_move *request)
{
	u32 flags = request->flags;

	if (request->placement >= PEER_PLACE_COUNT || flags & ~MOVE_FLAGS)
		return -EINVAL;
	if (flags & PEER_MOVE_EVICT &&
	    flags & (PEER_MOVE_SLOW_FENCE | PEER_MOVE_AT_MAP))
		return -EINVAL;
	if (!(flags & PEER_MOVE_SLOW_FENCE))
		return request->fence_ms ? -EINVAL : 0;
	if (!request->fence_ms || request->fence_ms > PEER_TIMEOUT_MS_MAX)
		return -EINVAL;
	return 0;
}

int ioctl_move(struct peer_file *file, void *argument, void __user *user)
{
	const struct peer_move *request = argument;
	struct peer_buffer *buffer;
	int ret;

	ret = check_move(request);
	if (ret)
		return ret;
	buffer = buffer_get(file, request->handle);
	if (IS_ERR(buffer))
		return PTR_ERR(buffer);
	if (request->flags & PEER_MOVE_AT_MAP)
		ret = arm(buffer, request);
	else
		ret = move_now(buffer, request);
	buffer_put(buffer);
	return ret;
}

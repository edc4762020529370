// SPDX-License-Identifier: GPL-2.0-only
/* What the exporter's notices come to: the callbacks, and mapping again. */
#include <linux/err.h>

#include "compat.h"
#include "shared/fence.h"
#include "shared/lock.h"
#include "umem/umem.h"

static void count_lock(struct region *region, struct dma_resv *resv)
{
	region->counts.unlocked += peer_lock_state(resv) != PEER_LOCK_CALLER;
}

static void count_notify(struct region *region, const struct ib_umem_dmabuf *umem)
{
	mutex_lock(&region->state);
	region->counts.notifies++;
	region->counts.mapped += !!umem->sgt;
	count_lock(region, umem->attach->dmabuf->resv);
	mutex_unlock(&region->state);
}

/*
 * Under the reservation. RDMA core names the region only when the driver has
 * said so (ATT-06); by then the callback may have come already.
 */
static void notified(struct dma_buf_attachment *attach)
{
	struct ib_umem_dmabuf *umem = attach->importer_priv;
	struct region *region = umem->private;

	if (!region)
		return;
	region_record(region, PEER_CALL_NOTIFY, 0);
	count_notify(region, umem);
	if (!peer_fault(callback_keeps_mapping))
		window_unmap(region);
	else
		key_set(region, PEER_UMEM_KEY_SUSPENDED);
	if (region->live && region->flags & PEER_UMEM_REMAP)
		peer_run_after(&region->remap, 0);
}

const struct dma_buf_attach_ops dynamic_ops = {
	.allow_peer2peer = true,
	.peer_notify_op = notified,
};

const struct dma_buf_attach_ops untold_ops = {
	.allow_peer2peer = true,
};

/* A map that fails is not tried again by time: the exporter notifies once more. */
void remap(struct work_struct *work)
{
	struct region *region = container_of(to_delayed_work(work),
					     struct region, remap);
	struct dma_resv *resv = region->umem->attach->dmabuf->resv;
	int ret;

	dma_resv_lock(resv, NULL);
	if (!region->live || region->umem->sgt)
		goto unlock;
	ret = window_map(region);
	mutex_lock(&region->state);
	region->counts.remaps++;
	region->counts.remap_error = ret;
	mutex_unlock(&region->state);
unlock:
	dma_resv_unlock(resv);
}

/* The key stays taken, and dead, until the region is deregistered (NIC-04). */
void region_revoked(void *private)
{
	struct region *region = private;

	region_record(region, PEER_CALL_REVOKE, 0);
	mutex_lock(&region->state);
	region->counts.revokes++;
	count_lock(region, region->umem->attach->dmabuf->resv);
	mutex_unlock(&region->state);
	atomic_inc(&region->file->revokes);
	if (!peer_fault(revoked_key_lives))
		key_set(region, PEER_UMEM_KEY_DEAD);
}

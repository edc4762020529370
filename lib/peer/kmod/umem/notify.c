// SPDX-License-Identifier: GPL-2.0-only
/* What the exporter's notices come to: the callbacks, and mapping again. */
#include <linux/err.h>

#include "compat.h"
#include "shared/fence.h"
#include "umem/umem.h"

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
	if (peer_fault(write_outlives_notice) && atomic_read(&region->writes))
		return;
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

	dma_resv_lock(resv, NULL);
	if (region->live && !region->umem->sgt)
		window_map(region);
	dma_resv_unlock(resv);
}

/* The key stays taken, and dead, until the region is deregistered (NIC-04). */
void region_revoked(void *private)
{
	struct region *region = private;
	struct dma_resv *resv = region->umem->attach->dmabuf->resv;

	/* RUM-09: as a core that lets go of the lock would call it. */
	if (peer_fault(revoked_unlocked))
		dma_resv_unlock(resv);
	region_record(region, PEER_CALL_REVOKE, 0);
	if (peer_fault(revoked_unlocked))
		dma_resv_lock(resv, NULL);
	atomic_inc(&region->file->revokes);
	if (peer_fault(revoked_key_reused))
		key_drop(region);
	if (!peer_fault(revoked_key_lives))
		key_set(region, PEER_UMEM_KEY_DEAD);
}

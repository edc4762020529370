// SPDX-License-Identifier: GPL-2.0-only
/* attach and detach: who may come, and what is left when they go. */
#include <linux/dma-mapping.h>
#include <linux/iommu.h>
#include <linux/pci.h>
#include <linux/slab.h>

#include "compat.h"
#include "exporter/exporter.h"

/* A mutant marks the pointer with its lowest bit. */
struct attachment *to_attachment(const struct dma_buf_attachment *core)
{
	return (struct attachment *)((unsigned long)core->priv & ~1UL);
}

bool all_reach(struct peer_buffer *buffer, u32 placement)
{
	struct attachment *attachment;

	if (placement != PEER_PLACE_DEVICE)
		return true;
	list_for_each_entry(attachment, &buffer->attachments, node)
		if (!attachment->core->peer2peer)
			return false;
	return true;
}

/*
 * Mapping a page beyond the device's mask would make the DMA API bounce or
 * warn; bounced, the device would see a copy and not the buffer. One without
 * a mask, as iommufd attaches, stands for others: no map of it succeeds.
 */
static bool addresses_all_memory(struct device *device)
{
	struct iommu_domain *domain = iommu_get_domain_for_dev(device);

	if (!device->dma_mask)
		return true;
	if (domain && (domain->type & __IOMMU_DOMAIN_PAGING))
		return true;
	return !dma_addressing_limited(device);
}

static int admit(struct peer_buffer *buffer, struct dma_buf_attachment *core)
{
	int error = fails_now(buffer, PEER_FAIL_ATTACH);

	if (error)
		return error;
	if (READ_ONCE(buffer->revoked))
		return -ENODEV;
	/* P2P-03: what stands for a bus is reached by bus devices only. */
	if ((!dev_is_pci(core->dev) && !peer_fault(ignores_distance)) ||
	    peer_fault(takes_peer2peer))
		core->peer2peer = false;
	if (!addresses_all_memory(core->dev))
		return -EOPNOTSUPP;
	/* REV-01 */
	if (buffer->policy == PEER_POLICY_REVOCABLE && !peer_revocable(core) &&
	    !peer_fault(accepts_unnotifiable))
		return -EOPNOTSUPP;
	/* ATT-01: storage that never moves is out of reach for ever. */
	if (buffer->policy == PEER_POLICY_STATIC && !core->peer2peer &&
	    buffer->placement == PEER_PLACE_DEVICE &&
	    !peer_fault(ignores_peer2peer))
		return -EOPNOTSUPP;
	return 0;
}

static int add_attachment(struct peer_buffer *buffer,
			  struct dma_buf_attachment *core)
{
	struct attachment *attachment;

	attachment = kzalloc(sizeof(*attachment), GFP_KERNEL_ACCOUNT);
	if (!attachment)
		return -ENOMEM;
	attachment->core = core;
	INIT_LIST_HEAD(&attachment->mappings);
	mutex_lock(&buffer->state);
	attachment->id = ++buffer->last_attachment;
	buffer->attachment_count++;
	list_add_tail(&attachment->node, &buffer->attachments);
	mutex_unlock(&buffer->state);
	core->priv = attachment;
	return 0;
}

static void move_to_system(struct peer_buffer *buffer)
{
	dma_resv_lock(&buffer->resv, NULL);
	move_storage(buffer, PEER_PLACE_SYSTEM, 0, 0);
	dma_resv_unlock(&buffer->resv);
}

/* ATT-02: for a mutant. Nobody is told by it, nor maps it. */
static void list_refused(struct peer_buffer *buffer,
			 const struct dma_buf_attachment *core)
{
	struct dma_buf_attachment *refused = kzalloc(sizeof(*refused), GFP_KERNEL);

	if (!refused)
		return;
	refused->dmabuf = core->dmabuf;
	refused->dev = get_device(core->dev);
	dma_resv_lock(core->dmabuf->resv, NULL);
	if (!buffer->refused) {
		buffer->refused = refused;
		list_add_tail(&refused->node, &core->dmabuf->attachments);
		refused = NULL;
	}
	dma_resv_unlock(core->dmabuf->resv);
	if (refused) {
		put_device(refused->dev);
		kfree(refused);
	}
}

void unlist_refused(struct peer_buffer *buffer)
{
	struct dma_buf_attachment *refused = buffer->refused;

	if (!refused)
		return;
	buffer->refused = NULL;
	list_del(&refused->node);
	put_device(refused->dev);
	kfree(refused);
}

/* What a faulty core does besides, for mutants. */
static void attach_wrongly(struct peer_buffer *buffer,
			   const struct dma_buf_attachment *core, int result)
{
	if (result && peer_fault(refused_attach_is_listed))
		list_refused(buffer, core);
	if (result && peer_fault(refused_attach_is_detached))
		record(buffer, PEER_CALL_DETACH, 0);
	if (!result && peer_fault(attach_pins_as_well))
		record(buffer, PEER_CALL_PIN, 0);
}

int exporter_attach(struct dma_buf *dmabuf, struct dma_buf_attachment *core)
{
	struct peer_buffer *buffer = dmabuf->priv;
	struct visit visit;
	int ret;

	if (peer_fault(called_locked))
		dma_resv_lock(&buffer->resv, NULL);
	visit_begin(&visit, buffer, core, PEER_CALL_ATTACH);
	if (peer_fault(called_locked))
		dma_resv_unlock(&buffer->resv);
	ret = admit(buffer, core);
	if (!ret)
		ret = add_attachment(buffer, core);
	if (!ret)
		visit.event.attachment = to_attachment(core)->id;
	if (peer_fault(attach_moves))
		move_to_system(buffer);
	visit_end(&visit, ret);
	attach_wrongly(buffer, core, ret);
	return ret;
}

void exporter_detach(struct dma_buf *dmabuf, struct dma_buf_attachment *core)
{
	struct peer_buffer *buffer = dmabuf->priv;
	struct attachment *attachment = to_attachment(core);
	struct visit visit;
	bool disorder;

	if (peer_fault(called_locked))
		dma_resv_lock(&buffer->resv, NULL);
	visit_begin(&visit, buffer, core, PEER_CALL_DETACH);
	if (peer_fault(called_locked))
		dma_resv_unlock(&buffer->resv);
	mutex_lock(&buffer->state);
	/*
	 * LIFE-04. A forgotten mapping is undone, as the device may go away
	 * with the attachment; a forgotten pin stays, as it would elsewhere.
	 */
	disorder = drop_mappings(buffer, attachment) || attachment->pins;
	list_del(&attachment->node);
	buffer->attachment_count--;
	mutex_unlock(&buffer->state);
	if (disorder)
		atomic_inc(&buffer->order_wrong);
	core->priv = NULL;
	if (!peer_fault(leaks_attachment))
		kfree(attachment);
	visit_end(&visit, 0);
}

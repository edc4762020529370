// SPDX-License-Identifier: GPL-2.0-only
/* The notify callback, and the ways to react to it. */
#include <linux/delay.h>
#include <linux/err.h>

#include "importer/importer.h"
#include "shared/lock.h"

/* Returns how to react: only a live import with mappings has to. */
static u32 note(struct import *import, bool locked)
{
	struct mapping *mapping;
	u32 reaction = PEER_REACT_NEVER;

	mutex_lock(&import->state);
	import->counts.notifies++;
	import->counts.unlocked += !locked;
	import->counts.pinned += !!import->pins;
	list_for_each_entry(mapping, &import->mappings, node)
		mapping->stale = true;
	if (import->live && import->maps && !peer_fault(ignores_notify) &&
	    !peer_fault(never_unmaps_after_notify))
		reaction = import->reaction;
	if (peer_fault(write_outlives_notice) && import->writes)
		reaction = PEER_REACT_NEVER;
	if (peer_fault(keeps_pinned_mapping) && import->pins)
		reaction = PEER_REACT_NEVER;
	if (reaction == PEER_REACT_LATE)
		peer_run_after(&import->late, import->late_ms);
	mutex_unlock(&import->state);
	return reaction;
}

static void give_up(struct import *import, bool stale_only)
{
	unsigned int count = unmap_all(import, stale_only);

	mutex_lock(&import->state);
	import->counts.mapping_gone += count;
	mutex_unlock(&import->state);
}

/* REV-09: without the core, which would wait for the lock that is held here. */
static void attach_and_detach(struct import *import)
{
	struct dma_buf *dmabuf = import->dmabuf;
	struct dma_buf_attachment another = {
		.dmabuf = dmabuf, .dev = import->device->device,
	};

	if (!dmabuf->ops->attach(dmabuf, &another))
		dmabuf->ops->detach(dmabuf, &another);
}

/* LOCK-05, INV-11: what a callback must not do, for mutants. */
static void misbehave(struct import *import)
{
	struct dma_resv *resv = import->resv;

	if (peer_fault(callback_drops_lock)) {
		dma_resv_unlock(resv);
		msleep(1);
		dma_resv_lock(resv, NULL);
	}
	if (peer_fault(callback_waits_for_fences))
		dma_resv_wait_timeout(resv, DMA_RESV_USAGE_KERNEL, false,
				      msecs_to_jiffies(PEER_TIMEOUT_MS_MAX));
	if (peer_fault(detaches_when_told) && import->core)
		schedule_work(&import->leave);
	if (peer_fault(attaches_when_told) && import->dmabuf->ops->attach)
		attach_and_detach(import);
}

/* What a driver does that does not know it has unmapped already (INV-09). */
static void unmap_again(struct import *import)
{
	if (import->given_up && !import->maps)
		dma_buf_unmap_attachment(import->core, import->given_up,
					 import->given_up_direction);
}

/*
 * Called under the reservation, also before attach has returned (ATT-06) and
 * with nothing mapped (INV-09). A pin is kept until the test unpins, unless it
 * asked for PEER_REACT_UNPIN.
 */
void importer_notify(struct dma_buf_attachment *core)
{
	struct import *import = core->importer_priv;
	bool locked = peer_lock_state(core->dmabuf->resv) == PEER_LOCK_CALLER;
	u32 reaction;

	if (peer_fault(attach_before_ready))
		WARN(!import->ready, "notify before the importer was ready\n");
	import_record(import, PEER_CALL_NOTIFY, PEER_NONE, 0);
	if (peer_fault(double_unmap_on_second_notify) && import->core)
		unmap_again(import);
	misbehave(import);
	reaction = note(import, locked);
	if (reaction == PEER_REACT_UNMAP || reaction == PEER_REACT_UNPIN)
		give_up(import, false);
	while (reaction == PEER_REACT_UNPIN && import->pins)
		unpin(import);
}

void leave_early(struct work_struct *work)
{
	import_end(container_of(work, struct import, leave));
}

void unmap_late(struct work_struct *work)
{
	struct import *import = container_of(to_delayed_work(work),
					     struct import, late);

	dma_resv_lock(import->resv, NULL);
	if (import->live)
		give_up(import, true);
	dma_resv_unlock(import->resv);
}

int check_reaction(u32 reaction, u32 late_ms)
{
	if (reaction >= PEER_REACT_COUNT)
		return -EINVAL;
	if (reaction != PEER_REACT_LATE)
		return late_ms ? -EINVAL : 0;
	if (!late_ms || late_ms > PEER_TIMEOUT_MS_MAX)
		return -EINVAL;
	return 0;
}

int ioctl_react(struct peer_file *file, void *argument, void __user *user)
{
	const struct peer_react *request = argument;
	struct import *import;
	int ret;

	ret = check_reaction(request->reaction, request->late_ms);
	if (ret || request->reserved)
		return -EINVAL;
	import = import_get(file, request->handle);
	if (IS_ERR(import))
		return PTR_ERR(import);
	mutex_lock(&import->state);
	import->reaction = request->reaction;
	import->late_ms = request->late_ms;
	mutex_unlock(&import->state);
	import_put(import);
	return 0;
}

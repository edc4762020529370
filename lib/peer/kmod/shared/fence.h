/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fences that a peer puts into reservation objects. Each signals by itself in
 * 10 s at the latest, and all of a buffer or attachment signal when its handle
 * goes, so that no test can wedge a kernel (FENCE-05).
 */
#ifndef PEER_FENCE_H
#define PEER_FENCE_H

#include <linux/dma-fence.h>
#include <linux/dma-resv.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include "shared/log.h"

/* The fences of one buffer or attachment, by id. */
struct peer_fences {
	struct xarray ids;
	struct peer_log *log;		/* gets PEER_CALL_FENCE_SIGNAL */
};

/**
 * peer_fence_init, peer_fence_exit - for the module's own init and exit
 */
int peer_fence_init(void);
void peer_fence_exit(void);

/**
 * peer_run_after - run a work item later, off any of the kernel's own queues
 * @work: the work; its function may sleep
 * @delay_ms: when
 */
void peer_run_after(struct delayed_work *work, unsigned int delay_ms);

/**
 * peer_fence_create - make a fence without expiry; its owner must signal it
 *
 * Return: the fence, or NULL if there is no memory.
 */
struct dma_fence *peer_fence_create(void);

void peer_fences_init(struct peer_fences *fences, struct peer_log *log);

/**
 * peer_fences_add - put a new fence into a reservation object
 * @fences: who owns it
 * @resv: locked by the caller
 * @request: usage and timeout_ms, both valid; .fence is filled
 *
 * Return: 0, -ENOMEM, or -EBUSY if the ids are used up.
 */
int peer_fences_add(struct peer_fences *fences, struct dma_resv *resv,
		    struct peer_fence *request);

/**
 * peer_fences_check - validate the argument of a FENCE ioctl
 *
 * Return: 0 or -EINVAL.
 */
int peer_fences_check(const struct peer_fence *request);

/**
 * peer_fences_signal - signal one fence; again is harmless
 *
 * Return: 0 or -ENOENT.
 */
int peer_fences_signal(struct peer_fences *fences, u32 id);

/**
 * peer_fences_signal_all - signal all and stop their timers
 */
void peer_fences_signal_all(struct peer_fences *fences);

/**
 * peer_fences_drop - signal all and take them out of the reservation object
 * @fences: who owns them
 * @resv: where they are; not locked by the caller
 *
 * A signalled fence may lie in a reservation object for as long as the buffer
 * lives, and would keep this module loaded.
 */
void peer_fences_drop(struct peer_fences *fences, struct dma_resv *resv);

/**
 * peer_fences_pending - how many have not signalled yet
 */
u32 peer_fences_pending(struct peer_fences *fences);

#endif

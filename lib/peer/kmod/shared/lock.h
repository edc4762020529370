/* SPDX-License-Identifier: GPL-2.0-only */
/* Who owns a reservation lock, found without lockdep. */
#ifndef PEER_LOCK_H
#define PEER_LOCK_H

#include <linux/dma-resv.h>
#include <linux/sched.h>

#include "uapi/dmabuf_peer.h"

/**
 * peer_lock_state - who owns a reservation lock at this moment
 * @resv: the reservation object
 *
 * dma_resv_is_locked() is also true while another task holds the lock, so it
 * cannot tell a caller that follows the rules from one that is lucky. The
 * owner field of the mutex can; its low bits are flags (kernel/locking/mutex.c,
 * on PREEMPT_RT rtmutex).
 *
 * Return: enum peer_lock.
 */
static inline u32 peer_lock_state(struct dma_resv *resv)
{
#ifdef CONFIG_PREEMPT_RT
	unsigned long owner = (unsigned long)READ_ONCE(resv->lock.base.rtmutex.owner);
#else
	unsigned long owner = atomic_long_read(&resv->lock.base.owner);
#endif

	owner &= ~7UL;
	if (!owner)
		return PEER_LOCK_FREE;
	return owner == (unsigned long)current ? PEER_LOCK_CALLER : PEER_LOCK_OTHER;
}

#endif

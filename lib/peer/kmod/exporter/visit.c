// SPDX-License-Identifier: GPL-2.0-only
/* Notes and judges what the other side does: who holds the lock, from where. */
#include <linux/preempt.h>

#include "compat.h"
#include "exporter/exporter.h"
#include "shared/lock.h"

static void judge(struct visit *visit)
{
	/*
	 * in_atomic() sees no spinlock on kernels that do not count preemption;
	 * such a call then goes unnoticed, which is no false alarm.
	 */
	if (in_atomic() || irqs_disabled()) {
		visit->event.flags |= PEER_EVENT_ATOMIC;
		atomic_inc(&visit->buffer->context_wrong);
	}
}

/* The dma-buf is there while one of its operations runs, but for a mutant. */
static struct dma_resv *resv_of(struct peer_buffer *buffer)
{
	return buffer->flags & PEER_BUFFER_OWN_RESV && buffer->dmabuf ?
	       buffer->dmabuf->resv : &buffer->resv;
}

static u32 attachment_flags(const struct dma_buf_attachment *core)
{
	const struct attachment *attachment = to_attachment(core);
	u32 flags = 0;

	if (core->peer2peer)
		flags |= PEER_EVENT_P2P;
	if (core->importer_ops)
		flags |= PEER_EVENT_DYNAMIC;
	if (peer_notifiable(core))
		flags |= PEER_EVENT_NOTIFIABLE;
	if (attachment && READ_ONCE(attachment->maps))
		flags |= PEER_EVENT_MAPPED;
	return flags;
}

void visit_begin(struct visit *visit, struct peer_buffer *buffer,
		 struct dma_buf_attachment *core, enum peer_call call)
{
	*visit = (struct visit) { .buffer = buffer, .event.call = call };
	visit->event.direction = PEER_NONE;
	visit->event.lock = peer_lock_state(resv_of(buffer));
	if (READ_ONCE(buffer->pins))
		visit->event.flags |= PEER_EVENT_PINNED;
	if (core) {
		visit->event.flags |= attachment_flags(core);
		if (core->priv)
			visit->event.attachment = to_attachment(core)->id;
	}
	judge(visit);
}

int visit_end(struct visit *visit, int result)
{
	struct peer_buffer *buffer = visit->buffer;

	visit->event.result = result;
	visit->event.placement = READ_ONCE(buffer->placement);
	visit->event.pins = READ_ONCE(buffer->pins);
	visit->event.maps = READ_ONCE(buffer->maps);
	peer_log_add(&buffer->log, &visit->event);
	return result;
}

void record(struct peer_buffer *buffer, enum peer_call call, int result)
{
	struct visit visit = {
		.buffer = buffer,
		.event.call = call,
		.event.direction = PEER_NONE,
		.event.lock = peer_lock_state(resv_of(buffer)),
	};

	if (READ_ONCE(buffer->pins))
		visit.event.flags |= PEER_EVENT_PINNED;
	visit_end(&visit, result);
}

int fails_now(struct peer_buffer *buffer, enum peer_failure what)
{
	struct failure *failure = &buffer->failures[what];
	int error = 0;

	mutex_lock(&buffer->state);
	if (failure->count) {
		if (failure->after) {
			failure->after--;
		} else {
			failure->count--;
			error = peer_fault(errno_changed) ? -EIO : failure->error;
		}
	}
	mutex_unlock(&buffer->state);
	return error;
}

// SPDX-License-Identifier: GPL-2.0-only
/* pin and unpin: a count of the buffer, kept for each attachment as well. */
#include <linux/kernel.h>
#include <linux/string.h>

#include "compat.h"
#include "exporter/exporter.h"

/*
 * To find the name of an address in a module takes as long as many pins. The
 * core's own call stays where it is; that of an importer was the last one if
 * it is now, too.
 */
bool is_in_core_map(void *caller)
{
	static void *in_core, *elsewhere;
	char name[32];		/* the rest of a longer name does not matter */

	if (caller == READ_ONCE(in_core))
		return true;
	if (caller == READ_ONCE(elsewhere))
		return false;
	snprintf(name, sizeof(name), "%ps", caller);
	if (strstarts(name, "dma_buf_map_attachment")) {
		WRITE_ONCE(in_core, caller);
		return true;
	}
	WRITE_ONCE(elsewhere, caller);
	return false;
}

/*
 * Whether the core pins on its own account: for importers without operations
 * always, for others in dma_buf_map_attachment() of some kernels. There the
 * caller tells. (An importer's pin may seem to come from the importer itself,
 * as dma_buf_pin() ends in the call.)
 */
static bool pin_is_implicit(const struct dma_buf_attachment *core, void *caller)
{
	if (!core->importer_ops)
		return true;
	return PEER_MAP_PINS_DYNAMIC && is_in_core_map(caller);
}

/*
 * The core drops its pin right after the unmap that it belongs to, and through
 * dma_buf_unpin() like an importer; only then it has a pin too many.
 */
static bool unpin_is_implicit(const struct dma_buf_attachment *core)
{
	const struct attachment *attachment = to_attachment(core);

	return !core->importer_ops ||
	       attachment->implicit_pins > attachment->maps;
}

static u32 place_to_pin(struct peer_buffer *buffer)
{
	u32 placement;

	mutex_lock(&buffer->state);
	placement = buffer->placement;
	if (buffer->policy == PEER_POLICY_MIGRATE || peer_fault(pin_migrates))
		placement = PEER_PLACE_SYSTEM;
	else if (!all_reach(buffer, placement) && !peer_fault(ignores_peer2peer))
		placement = PEER_PLACE_SYSTEM;
	mutex_unlock(&buffer->state);
	return placement;
}

/*
 * PIN-06: stay where every attachment reaches the storage. PIN-07, PIN-13:
 * where that cannot be had, fail with anything but EBUSY.
 */
static int settle(struct peer_buffer *buffer)
{
	int ret;

	if (READ_ONCE(buffer->revoked))
		return -ENODEV;
	if (peer_fault(pin_is_busy) &&
	    place_to_pin(buffer) != READ_ONCE(buffer->placement))
		return -EBUSY;
	ret = move_storage(buffer, place_to_pin(buffer), 0, 0);
	if (ret)
		return ret == -EBUSY ? -EINVAL : ret;
	/* PIN-05 */
	return peer_fault(pin_skips_wait) ? 0 : wait_for_copy(buffer);
}

static int try_pin(struct peer_buffer *buffer)
{
	int error = fails_now(buffer, PEER_FAIL_PIN);

	if (error)
		return error;
	if (buffer->policy == PEER_POLICY_REFUSE_PIN)
		return -EOPNOTSUPP;
	if (peer_fault(pin_takes_lock)) {
		error = dma_resv_lock_interruptible(&buffer->resv, NULL);
		if (error)
			return error;
		dma_resv_unlock(&buffer->resv);
	}
	return settle(buffer);
}

static void count_pin(struct peer_buffer *buffer,
		      struct attachment *attachment, bool implicit)
{
	mutex_lock(&buffer->state);
	attachment->pins++;
	attachment->implicit_pins += implicit;
	buffer->pinned_before = true;
	if (!peer_fault(pin_is_boolean) || !buffer->pins)
		buffer->pins++;
	mutex_unlock(&buffer->state);
}

/* For a mutant: what was counted before the pin failed stays counted. */
static void leak_pin(struct peer_buffer *buffer)
{
	mutex_lock(&buffer->state);
	buffer->pins++;
	mutex_unlock(&buffer->state);
}

int exporter_pin(struct dma_buf_attachment *core)
{
	struct peer_buffer *buffer = core->dmabuf->priv;
	bool implicit = pin_is_implicit(core, __builtin_return_address(0));
	struct visit visit;
	int ret;

	visit_begin(&visit, buffer, core, PEER_CALL_PIN);
	if (implicit)
		visit.event.flags |= PEER_EVENT_IMPLICIT;
	ret = try_pin(buffer);
	if (!ret)
		count_pin(buffer, to_attachment(core), implicit);
	else if (peer_fault(pin_leaks_on_error))
		leak_pin(buffer);
	return visit_end(&visit, ret);
}

/*
 * ERR-04, PIN-11: for a mutant, whether the core gives its pin back because the
 * map came to nothing. (The mutant loses the unmap as well.)
 */
static bool is_unwinding(const struct attachment *attachment)
{
	return attachment->map_failed || attachment->maps >= attachment->pins;
}

/* PIN-03: an unpin without pin is counted as such and changes nothing. */
static void count_unpin(struct peer_buffer *buffer,
			struct attachment *attachment, bool implicit)
{
	mutex_lock(&buffer->state);
	if (peer_fault(unpin_lost_when_revoked) && buffer->revoked)
		goto unlock;
	if (!attachment->pins) {
		atomic_inc(&buffer->order_wrong);
		goto unlock;
	}
	attachment->pins--;
	if (implicit && attachment->implicit_pins)
		attachment->implicit_pins--;
	if (buffer->pins && !peer_fault(unpin_keeps_pin))
		buffer->pins--;
unlock:
	mutex_unlock(&buffer->state);
}

void exporter_unpin(struct dma_buf_attachment *core)
{
	struct peer_buffer *buffer = core->dmabuf->priv;
	struct visit visit;
	bool implicit;

	/* LIFE-06, ERR-02: an attachment that left, or never came: nothing is known of it. */
	if (!core->priv) {
		atomic_inc(&buffer->order_wrong);
		record(buffer, PEER_CALL_UNPIN, 0);
		return;
	}
	implicit = unpin_is_implicit(core);
	if (peer_fault(unwinding_is_lost) && implicit &&
	    is_unwinding(to_attachment(core)))
		return;
	visit_begin(&visit, buffer, core, PEER_CALL_UNPIN);
	if (implicit)
		visit.event.flags |= PEER_EVENT_IMPLICIT;
	count_unpin(buffer, to_attachment(core), implicit);
	visit_end(&visit, 0);
}

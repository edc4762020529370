/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How it is judged what moves the storage of a buffer, and who is told of it.
 * Where the storage lies is seen when somebody maps it, by the first page of the
 * table. What a notice announces is seen from outside alone if a program says
 * when it has the exporter move (exporter/marks.h): without that a move that is
 * refused, or comes back to where it was, leaves no trace.
 *
 * As in follow.h, what is returned is a bit mask of what was broken.
 */
#ifndef CTS_STORAGE_H
#define CTS_STORAGE_H

#include <linux/errno.h>

#include "monitor/follow.h"

/* A pin begins. Whoever gives notice within it moves the storage for it. */
FOLLOW void storage_pin(struct watch_storage *storage,
			const struct watch_call *call)
{
	storage->pinning = call->task;
	storage->pin_told = 0;
	storage->changes++;
}

/* And has returned. That it moved nothing is known when it has been mapped. */
FOLLOW void storage_pinned(struct watch_storage *storage,
			   struct watch_tally *tally,
			   const struct watch_call *call)
{
	storage->pinning = 0;
	if (call->result < 0 || storage->pins++)
		return;
	storage->pin_open = !storage->pin_told;
	if (storage->pin_told)
		follow_check(tally, WATCH_PIN_06_b, false);
}

FOLLOW void storage_unpinned(struct watch_storage *storage, __u32 pins)
{
	storage->changes++;
	storage->pins -= pins < storage->pins ? pins : storage->pins;
	if (storage->pins)
		return;
	storage->was_pinned = 1;
	storage->pin_open = 0;
}

FOLLOW void storage_told(struct watch_storage *storage,
			 const struct watch_call *call)
{
	storage->notices++;
	if (storage->pinning == call->task)
		storage->pin_told = 1;
	if (storage->asking == call->task)
		storage->asked_told++;
}

/* A program is about to have the exporter move the storage. */
FOLLOW void storage_asked(struct watch_storage *storage,
			  const struct watch_call *call)
{
	storage->asking = call->task;
	storage->asked_told = 0;
	storage->asked_changes = storage->changes;
}

/* Whether an attachment may be why the storage stays where it is. */
FOLLOW bool storage_is_held(const struct watch_law *law,
			    const struct watch_attachment *attachment)
{
	if (attachment->pins || !(attachment->facts & WATCH_DYNAMIC))
		return true;
	return attachment->mapped &&
	       (law->map_pins || !(attachment->facts & WATCH_TOLD));
}

/*
 * It has moved, or was held where it is. Who came or went meanwhile may have held
 * it, so that there must have been nobody.
 */
FOLLOW __u64 storage_judge(struct watch_storage *storage,
			   struct watch_tally *tally, bool moved, bool held)
{
	if (moved && !storage->pins && storage->was_pinned)
		return follow_check(tally, WATCH_PIN_08_a, true);
	if (storage->asked_changes != storage->changes)
		return 0;
	if (storage->pins)
		return follow_check(tally, WATCH_PIN_04_a, !moved);
	if (moved || held || !storage->was_pinned)
		return 0;
	return follow_check(tally, WATCH_PIN_08_a, false);
}

/*
 * The exporter has answered in call->result. @held: an attachment may keep the
 * storage where it is.
 */
FOLLOW __u64 storage_answered(struct watch_storage *storage,
			      struct watch_tally *tally,
			      const struct watch_call *call, bool held)
{
	bool alone = storage->asking == call->task;

	storage->asking = 0;
	if (!alone)
		return 0;
	storage->asked |= !call->result;
	if (!call->result && storage->asked_told)
		return storage_judge(storage, tally, true, held);
	if (call->result == -EBUSY)
		return storage_judge(storage, tally, false, held);
	return 0;
}

/* The first map under a pin: there it shows what a pin without notice did. */
FOLLOW void storage_first_map(struct watch_storage *storage,
			      struct watch_tally *tally, bool moved)
{
	if (!storage->pin_open)
		return;
	storage->pin_open = 0;
	if (storage->notices || storage->asked)
		moved = false;
	follow_check(tally, WATCH_PIN_06_b, !moved);
}

/*
 * A map has found the storage at call->place. @moved: it was elsewhere at the map
 * before, and all attachments are to be looked at, as to storage_left().
 */
FOLLOW __u64 storage_found(struct watch_storage *storage,
			   struct watch_tally *tally,
			   const struct watch_call *call, bool *moved)
{
	bool known = storage->place && call->place;
	__u64 broken = 0;

	*moved = known && storage->place != call->place;
	if (*moved && storage->notices)
		broken |= follow_check(tally, WATCH_INV_08, true);
	/* One notice, within the one move that was asked for: it is elsewhere. */
	if (known && !*moved && storage->asked && storage->notices == 1 &&
	    storage->asked_told == 1)
		broken |= follow_check(tally, WATCH_INV_08, false);
	storage_first_map(storage, tally, *moved);
	storage->place = call->place;
	storage->notices = 0;
	storage->asked = 0;
	storage->asked_told = 0;
	return broken;
}

/*
 * What it means to an attachment that the storage is no longer at @left, where it
 * was when this attachment last mapped. @unpinned: it is the first time since the
 * last unpin.
 */
FOLLOW __u64 storage_left(struct watch_attachment *attachment,
			  struct watch_tally *tally, __u64 left, bool unpinned)
{
	bool heard = attachment->facts & WATCH_HEARD;
	__u64 broken;

	if (!left || attachment->place != left)
		return 0;
	attachment->place = 0;
	if (attachment->pins)
		return heard ? 0 : follow_check(tally, WATCH_PIN_04_a, false);
	if (!heard && !attachment->mapped)
		return 0;
	if (!(attachment->facts & WATCH_TOLD))
		return follow_check(tally, WATCH_MAP_04_b, false);
	broken = follow_check(tally, WATCH_INV_01_a, heard);
	if (unpinned)
		broken |= follow_check(tally, WATCH_PIN_08_b, heard);
	return broken;
}

#endif

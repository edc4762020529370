/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How calls are judged: what they do to the state of an attachment, and which
 * clauses they keep or break. Plain C on plain state. The BPF programs run it
 * beside the call, so that no storm of calls can outrun it; unit tests feed it
 * calls that were made up.
 *
 * follow_NAME() sees a call of NAME; one that needs the outcome is called when
 * NAME has returned. All return a bit mask of what was broken.
 */
#ifndef CTS_FOLLOW_H
#define CTS_FOLLOW_H

#include "monitor/watch.h"

#define FOLLOW static inline __attribute__((always_inline))

/* Counts a check, and gives its bit if it is broken. */
FOLLOW __u64 follow_check(struct watch_tally *tally, enum watch_check check,
			  bool good)
{
	tally->checked[check]++;
	if (good)
		return 0;
	__sync_fetch_and_add(&tally->broken[check], 1);
	return 1ULL << check;
}

/* The reservation is owned by the caller; not judged where that cannot be read. */
FOLLOW __u64 follow_locked(const struct watch_law *law,
			   struct watch_tally *tally,
			   enum watch_check check,
			   const struct watch_call *call)
{
	if (!law->owner_readable)
		return 0;
	return follow_check(tally, check, call->owns);
}

/* And here by anyone but the caller. */
FOLLOW __u64 follow_unlocked(const struct watch_law *law,
			     struct watch_tally *tally,
			     enum watch_check check,
			     const struct watch_call *call)
{
	if (!law->owner_readable)
		return 0;
	return follow_check(tally, check, !call->owns);
}

FOLLOW bool follow_knows_all(const struct watch_attachment *attachment)
{
	return !(attachment->facts & WATCH_ADOPTED);
}

/* Moves are noticed by an importer that is told, and must not happen to others. */
FOLLOW bool follow_is_silent(const struct watch_attachment *attachment)
{
	return (attachment->facts & (WATCH_DYNAMIC | WATCH_TOLD)) ==
	       WATCH_DYNAMIC;
}

FOLLOW __u64 follow_pin(const struct watch_law *law, struct watch_tally *tally,
			const struct watch_call *call)
{
	return follow_check(tally, WATCH_PIN_01, call->facts & WATCH_DYNAMIC) |
	       follow_locked(law, tally, WATCH_PIN_02_a, call) |
	       follow_locked(law, tally, WATCH_LOCK_01_a, call);
}

FOLLOW void follow_pinned(struct watch_attachment *attachment,
			  const struct watch_call *call)
{
	if (call->result < 0) {
		attachment->facts |= WATCH_PIN_FAILED;
		return;
	}
	attachment->facts &= ~WATCH_PIN_FAILED;
	attachment->facts |= WATCH_LOOK;
	attachment->pins++;
}

/* Of an unpin that finds no pin: it follows a pin that failed, or none. */
FOLLOW __u64 follow_excess(struct watch_attachment *attachment,
			   struct watch_tally *tally)
{
	enum watch_check check = WATCH_PIN_03_a;

	if (!follow_knows_all(attachment))
		return 0;
	if (attachment->facts & WATCH_PIN_FAILED)
		check = WATCH_PIN_03_b;
	attachment->facts &= ~WATCH_PIN_FAILED;
	return follow_check(tally, check, false);
}

/* What may be mapped after the last unpin: nothing that cannot be given up. */
FOLLOW __u64 follow_last_unpin(struct watch_attachment *attachment,
			       struct watch_tally *tally)
{
	bool good = !attachment->mapped;

	if (!follow_is_silent(attachment) ||
	    !(attachment->facts & WATCH_PINNABLE))
		return 0;
	return follow_check(tally, WATCH_MAP_07, good) |
	       follow_check(tally, WATCH_LIFE_03_a, good);
}

FOLLOW __u64 follow_unpin(const struct watch_law *law,
			  struct watch_attachment *attachment,
			  struct watch_tally *tally,
			  const struct watch_call *call)
{
	__u64 broken;

	/* The core gives back what it took at map, past its own pin. */
	if (law->map_pins && attachment->unmapping == call->task)
		return 0;
	broken = follow_check(tally, WATCH_PIN_01,
			      call->facts & WATCH_DYNAMIC) |
		 follow_locked(law, tally, WATCH_PIN_02_b, call) |
		 follow_locked(law, tally, WATCH_LOCK_01_a, call);
	if (!attachment->pins)
		return broken | follow_excess(attachment, tally);
	if (!--attachment->pins)
		broken |= follow_last_unpin(attachment, tally);
	return broken;
}

FOLLOW __u64 follow_map_lock(const struct watch_law *law,
			     struct watch_tally *tally,
			     const struct watch_call *call)
{
	if (call->facts & (WATCH_DYNAMIC | WATCH_PINNABLE))
		return follow_locked(law, tally, WATCH_MAP_01_a, call) |
		       follow_locked(law, tally, WATCH_LOCK_01_b, call);
	if (!law->map_lock_always)
		return 0;
	return follow_locked(law, tally, WATCH_MAP_01_b, call) |
	       follow_locked(law, tally, WATCH_LOCK_01_b, call);
}

/* Whether the storage may be elsewhere than where this attachment last saw it. */
FOLLOW bool follow_must_look(const struct watch_attachment *attachment,
			     const struct watch_call *call)
{
	return attachment->place != call->place || !attachment->maps ||
	       attachment->facts & (WATCH_HEARD | WATCH_LOOK);
}

/*
 * Where the first page lies tells that the storage stays under a pin, or under a
 * mapping that nobody can be told to give up. storage.h has what else it may be.
 */
FOLLOW __u64 follow_place(struct watch_attachment *attachment,
			  struct watch_tally *tally,
			  const struct watch_call *call)
{
	bool stays = call->place && attachment->place == call->place &&
		     !(attachment->facts & WATCH_HEARD);

	attachment->place = call->place;
	attachment->facts &= ~(WATCH_HEARD | WATCH_LOOK);
	if (!stays)
		return 0;
	if (attachment->pins)
		return follow_check(tally, WATCH_PIN_04_a, true);
	if (attachment->mapped && !(attachment->facts & WATCH_TOLD))
		return follow_check(tally, WATCH_MAP_04_b, true);
	return 0;
}

/* Returns false if it is one more than can be told apart. */
FOLLOW bool follow_add(struct watch_attachment *attachment,
		       const struct watch_call *call)
{
	attachment->mapped++;
	attachment->maps++;
	for (int i = 0; i < WATCH_MAPPINGS; i++) {
		struct watch_mapping *mapping = &attachment->mappings[i];

		/* Two static sides of old kernels map side by side. */
		if (mapping->table ||
		    !__sync_bool_compare_and_swap(&mapping->table, 0,
						  call->table))
			continue;
		mapping->direction = call->direction;
		mapping->told_ns = 0;
		return true;
	}
	attachment->facts |= WATCH_UNCOUNTED;
	return false;
}

/*
 * A map that has returned. The caller adds the mapping if call->result is good,
 * since it counts what cannot be told apart.
 */
FOLLOW __u64 follow_map(const struct watch_law *law,
			struct watch_attachment *attachment,
			struct watch_tally *tally,
			const struct watch_call *call)
{
	__u64 broken = follow_map_lock(law, tally, call);

	if (follow_knows_all(attachment))
		broken |= follow_check(tally, WATCH_LOCK_08_a,
				       call->resv == attachment->resv);
	if (attachment->notices)
		broken |= follow_check(tally, WATCH_EXP_04_b,
				       call->size == attachment->size);
	if (call->result < 0)
		return broken;
	if (follow_is_silent(attachment) && follow_knows_all(attachment) &&
	    (attachment->facts & WATCH_PINNABLE) && !attachment->pins)
		tally->loose_maps++;
	return broken | follow_place(attachment, tally, call);
}

/* What a mapping has outlived a notice by, if it was told. */
FOLLOW __u64 follow_bound(struct watch_attachment *attachment,
			  struct watch_tally *tally, __u64 told_ns,
			  __u64 now_ns, __u64 bound_ns)
{
	__u64 late_ns = now_ns - told_ns;

	if (!told_ns)
		return 0;
	if (late_ns > attachment->late_ns)
		attachment->late_ns = late_ns;
	return follow_check(tally, WATCH_INV_04_a, late_ns <= bound_ns);
}

/* The mapping that an unmap means: by its table, and if it can be its direction. */
FOLLOW struct watch_mapping *
follow_find(struct watch_attachment *attachment, const struct watch_call *call)
{
	for (int i = 0; i < WATCH_MAPPINGS; i++)
		if (attachment->mappings[i].table == call->table &&
		    attachment->mappings[i].direction == call->direction)
			return &attachment->mappings[i];
	for (int i = 0; i < WATCH_MAPPINGS; i++)
		if (attachment->mappings[i].table == call->table)
			return &attachment->mappings[i];
	return NULL;
}

FOLLOW __u64 follow_unmap(const struct watch_law *law,
			  struct watch_attachment *attachment,
			  struct watch_tally *tally,
			  const struct watch_call *call, __u64 bound_ns)
{
	__u64 broken = follow_map_lock(law, tally, call);
	struct watch_mapping *mapping = follow_find(attachment, call);

	attachment->unmapping = call->task;
	if (attachment->mapped)
		attachment->mapped--;
	if (!mapping) {
		/* It may be of those that were not seen, or not told apart. */
		if (attachment->facts & (WATCH_ADOPTED | WATCH_UNCOUNTED))
			return broken;
		return broken | follow_check(tally, WATCH_MAP_03_a, false);
	}
	broken |= follow_check(tally, WATCH_MAP_03_a, true) |
		  follow_check(tally, WATCH_MAP_03_b,
			       mapping->direction == call->direction) |
		  follow_bound(attachment, tally, mapping->told_ns,
			       call->now_ns, bound_ns);
	mapping->table = 0;
	return broken;
}

FOLLOW void follow_unmapped(struct watch_attachment *attachment)
{
	attachment->unmapping = 0;
}

/* Of an exporter that gives notice, once for all attachments. */
FOLLOW __u64 follow_notify(const struct watch_law *law,
			   struct watch_tally *tally,
			   const struct watch_call *call)
{
	return follow_locked(law, tally, WATCH_LOCK_03, call);
}

/* And what it means to each attachment. */
FOLLOW void follow_told(const struct watch_law *law,
			struct watch_attachment *attachment,
			struct watch_tally *tally,
			const struct watch_call *call)
{
	attachment->facts |= WATCH_LOOK;
	if (!(attachment->facts & WATCH_TOLD))
		return;
	attachment->facts |= WATCH_HEARD;
	attachment->notices++;
	for (int i = 0; i < WATCH_MAPPINGS; i++) {
		struct watch_mapping *mapping = &attachment->mappings[i];

		if (mapping->table && !mapping->told_ns)
			mapping->told_ns = call->now_ns;
	}
	if (!law->pinned_notice && attachment->pins)
		tally->pinned_notices++;
}

/* Those of the buffer, at attach and detach: not from within its notice. */
FOLLOW __u64 follow_list(const struct watch_buffer *buffer,
			 struct watch_tally *tally,
			 const struct watch_call *call)
{
	return follow_check(tally, WATCH_REV_09,
			    buffer->notifying != call->task);
}

FOLLOW __u64 follow_detach(const struct watch_law *law,
			   struct watch_attachment *attachment,
			   struct watch_tally *tally,
			   const struct watch_call *call, __u64 named_buffer)
{
	bool unmapped = !attachment->mapped, unpinned = !attachment->pins;
	__u64 broken;

	broken = follow_unlocked(law, tally, WATCH_LOCK_02_b, call) |
		 follow_check(tally, WATCH_LIFE_05,
			      named_buffer == attachment->buffer);
	if (!follow_knows_all(attachment))
		return broken;
	if (attachment->facts & WATCH_PIN_FAILED)
		broken |= follow_check(tally, WATCH_PIN_03_b, true);
	return broken |
	       follow_check(tally, WATCH_LOCK_08_a,
			    call->resv == attachment->resv) |
	       follow_check(tally, WATCH_PIN_03_a, unpinned) |
	       follow_check(tally, WATCH_LIFE_04_b, unpinned) |
	       follow_check(tally, WATCH_LIFE_04_a, unmapped) |
	       follow_check(tally, WATCH_LIFE_03_a, unmapped && unpinned);
}

/* What a table covers: @sum bytes, with @odd set where an entry is no whole page. */
FOLLOW __u64 follow_table(struct watch_tally *tally, __u64 size, __u64 sum,
			  bool odd_address, bool odd_length, __u64 page)
{
	__u64 whole = (size + page - 1) & ~(page - 1);

	return follow_check(tally, WATCH_SGT_01_a, !odd_address) |
	       follow_check(tally, WATCH_SGT_01_b, !odd_length) |
	       follow_check(tally, WATCH_SGT_02_a, sum >= size) |
	       follow_check(tally, WATCH_SGT_02_b, sum <= whole);
}

#endif

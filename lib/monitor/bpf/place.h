/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the storage of a buffer is, and who holds it there: as storage.h judges. */
#ifndef CTS_MONITOR_PLACE_H
#define CTS_MONITOR_PLACE_H

/* A program has the exporter move: what comes and goes may be why it does not. */
static __always_inline void note_change(__u64 key)
{
	struct watch_buffer *buffer = asking ? buffer_of(key) : NULL;

	if (buffer)
		buffer->storage.changes++;
}

/* A mapping of those who are told of moves is none. */
static __always_inline void note_mapping(const struct sight *sight,
					 const struct watch_attachment *attachment)
{
	if (law()->map_pins || !(attachment->facts & WATCH_TOLD))
		note_change(sight->buffer);
}

__noinline __u64 note_left(__u64 key, __u64 left, bool unpinned)
{
	struct watch_attachment *attachment = attachment_of(key);
	struct watch_tally *tally;

	tally = attachment ? tally_of(attachment->pair) : NULL;
	return tally ? storage_left(attachment, tally, left, unpinned) : 0;
}

static long leave_attachment(__u32 index, void *context)
{
	struct round *round = context;
	__u64 key = next_of(round);

	if (!key)
		return 1;
	round->broken |= note_left(key, round->left, round->unpinned);
	return 0;
}

/* Of a map that may have found the storage elsewhere. */
__noinline __u64 judge_place(struct sight *sight, struct watch_tally *tally)
{
	struct watch_buffer *buffer;
	struct round round;
	__u64 broken, left;
	bool moved;

	buffer = sight ? buffer_of(sight->buffer) : NULL;
	if (!buffer || !tally)
		return 0;
	left = buffer->storage.place;
	broken = storage_found(&buffer->storage, tally, &sight->call, &moved);
	if (!moved)
		return broken;
	begin_round(&round, sight->buffer);
	round.left = left;
	round.unpinned = buffer->storage.was_pinned;
	bpf_loop(ATTACHMENTS_MAX, leave_attachment, &round, 0);
	buffer->storage.was_pinned = 0;
	return broken | round.broken;
}

/* One that is not followed may hold what it likes. */
__noinline int note_held(__u64 key)
{
	struct watch_attachment *attachment = attachment_of(key);

	return !attachment || storage_is_held(law(), attachment);
}

static long ask_attachment(__u32 index, void *context)
{
	struct round *round = context;
	__u64 key = next_of(round);

	if (!key)
		return 1;
	if (note_held(key))
		round->held = true;
	return 0;
}

__noinline __u64 judge_move(struct sight *sight, bool ends)
{
	struct watch_buffer *buffer = sight ? buffer_of(sight->buffer) : NULL;
	struct watch_tally *tally;
	struct round round;

	if (!buffer)
		return 0;
	sight->pair = buffer->pair;
	if (!ends) {
		__sync_fetch_and_add(&asking, 1);
		storage_asked(&buffer->storage, &sight->call);
		return 0;
	}
	if (asking)
		__sync_fetch_and_add(&asking, -1);
	tally = tally_of(sight->pair);
	if (!tally)
		return 0;
	begin_round(&round, sight->buffer);
	bpf_loop(ATTACHMENTS_MAX, ask_attachment, &round, 0);
	return storage_answered(&buffer->storage, tally, &sight->call,
				round.held);
}

#endif

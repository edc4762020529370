// SPDX-License-Identifier: GPL-2.0-only
/* What the peers saw. */
#include "peer/observe.h"

#include <errno.h>
#include <string.h>

#include "pair/pattern.h"

#define CHUNK	4096

struct peer_exporter_stat exporter_saw(struct buffer *buffer)
{
	struct peer_exporter_stat stat;

	if (peer_exporter_stat(buffer, &stat))
		memset(&stat, 0xff, sizeof(stat));
	return stat;
}

struct peer_importer_stat importer_saw(struct attachment *attachment)
{
	struct peer_importer_stat stat;

	if (peer_importer_stat(attachment, &stat))
		memset(&stat, 0xff, sizeof(stat));
	return stat;
}

void exporter_log(struct buffer *buffer, struct event_log *log)
{
	log->count = peer_exporter_events(buffer, log->events, EVENT_LOG_SIZE);
}

void importer_log(struct attachment *attachment, struct event_log *log)
{
	log->count = peer_importer_events(attachment, log->events,
					  EVENT_LOG_SIZE);
}

int event_find(const struct event_log *log, enum peer_call call, int from)
{
	for (int i = from; i < log->count; i++)
		if (log->events[i].call == call)
			return i;
	return -1;
}

int event_count(const struct event_log *log, enum peer_call call)
{
	return event_count_with(log, call, 0, 0);
}

int event_last(const struct event_log *log, enum peer_call call)
{
	int last = -1;

	for (int i = 0; i < log->count; i++)
		if (log->events[i].call == call)
			last = i;
	return last;
}

int event_count_with(const struct event_log *log, enum peer_call call,
		     uint32_t mask, uint32_t flags)
{
	int count = 0;

	for (int i = 0; i < log->count; i++)
		count += log->events[i].call == call &&
			 (log->events[i].flags & mask) == flags;
	return log->count < 0 ? log->count : count;
}

int event_count_locked(const struct event_log *log, enum peer_call call)
{
	int count = 0;

	for (int i = 0; i < log->count; i++)
		count += log->events[i].call == call &&
			 log->events[i].lock == PEER_LOCK_CALLER;
	return log->count < 0 ? log->count : count;
}

int device_sees(struct mapping *mapping, uint32_t seed)
{
	uint8_t chunk[CHUNK];
	int error;

	for (size_t at = 0; at < mapping->length; at += CHUNK) {
		error = peer_read(mapping, PEER_ENGINE_TRANSLATE, at, chunk,
				  CHUNK);
		if (error)
			return error;
		if (pattern_mismatch(seed, at, chunk, CHUNK) >= 0)
			return -EILSEQ;
	}
	return 0;
}

int device_writes(struct mapping *mapping, uint32_t seed)
{
	uint8_t chunk[CHUNK];
	int error;

	for (size_t at = 0; at < mapping->length; at += CHUNK) {
		pattern_fill(seed, at, chunk, CHUNK);
		error = peer_write(mapping, PEER_ENGINE_TRANSLATE, at, chunk,
				   CHUNK);
		if (error)
			return error;
	}
	return 0;
}

static bool holds_content(const uint8_t *chunk, size_t at, uint32_t seed)
{
	return pattern_mismatch(seed, at, chunk, CHUNK) < 0;
}

static bool holds_poison(const uint8_t *chunk, size_t at, uint32_t seed)
{
	(void)at;
	(void)seed;
	/* All bytes are like the first one. */
	return chunk[0] == PEER_POISON && !memcmp(chunk, chunk + 1, CHUNK - 1);
}

static int inspect_place(struct buffer *buffer, enum peer_placement placement,
			 bool (*good)(const uint8_t *chunk, size_t at,
				      uint32_t seed), uint32_t seed)
{
	uint8_t chunk[CHUNK];
	int error;

	for (size_t at = 0; at < buffer->size; at += CHUNK) {
		error = peer_exporter_storage(buffer, placement, at, chunk,
					      CHUNK, false);
		if (error)
			return error;
		if (!good(chunk, at, seed))
			return -EILSEQ;
	}
	return 0;
}

int place_holds(struct buffer *buffer, enum peer_placement placement,
		uint32_t seed)
{
	return inspect_place(buffer, placement, holds_content, seed);
}

int place_is_poisoned(struct buffer *buffer, enum peer_placement placement)
{
	return inspect_place(buffer, placement, holds_poison, 0);
}

enum placement place_of(struct buffer *buffer)
{
	enum placement placement;

	if (exporter_placement(buffer, &placement))
		return PLACE_COUNT;
	return placement;
}

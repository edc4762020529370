/* SPDX-License-Identifier: GPL-2.0-only */
/* The life of an attachment, in calls that were made up, as the monitor sees them. */
#ifndef CTS_UNIT_LIFE_H
#define CTS_UNIT_LIFE_H

#include "kselftest_harness.h"

#include "monitor/follow.h"
#include "monitor/storage.h"

#define BOUND_NS	1000
#define TASK		0x100
#define RESV		0x200
#define BUFFER		0x300
#define BIT_OF(check)	(1ULL << WATCH_##check)

static const struct watch_law __attribute__((unused)) newest = {
	.owner_readable = true,
	.map_lock_always = true,
	.vmap_locked = true,
	.pinned_notice = true,
};

/* Of 6.1: a mapping pins, and two static sides map without the lock. */
static const struct watch_law __attribute__((unused)) oldest = {
	.owner_readable = true,
	.map_pins = true,
};

FIXTURE(life)
{
	struct watch_storage storage;
	struct watch_attachment attachment;
	struct watch_attachment other;
	struct watch_tally tally;
	struct watch_call call;
	const struct watch_law *law;
};

FIXTURE_SETUP(life)
{
	self->law = &newest;
	self->attachment = (struct watch_attachment){
		.buffer = BUFFER,
		.size = 8192,
		.resv = RESV,
		.facts = WATCH_DYNAMIC | WATCH_TOLD | WATCH_PINNABLE,
	};
	self->call = (struct watch_call){
		.now_ns = 1,
		.task = TASK,
		.size = 8192,
		.resv = RESV,
		.facts = self->attachment.facts,
		.owns = true,
	};
}

FIXTURE_TEARDOWN(life)
{
}

typedef FIXTURE_DATA(life) life;

static inline void become(life *self, unsigned int facts)
{
	self->attachment.facts = self->call.facts = facts;
}

static inline __u64 pin(life *self, int result)
{
	__u64 broken = follow_pin(self->law, &self->tally, &self->call);

	storage_pin(&self->storage, &self->call);
	self->call.result = result;
	storage_pinned(&self->storage, &self->tally, &self->call);
	follow_pinned(&self->attachment, &self->call);
	self->call.result = 0;
	return broken;
}

static inline __u64 unpin(life *self)
{
	__u32 pins = self->attachment.pins;
	__u64 broken = follow_unpin(self->law, &self->attachment, &self->tally,
				    &self->call);

	if (self->attachment.pins < pins)
		storage_unpinned(&self->storage, 1);
	return broken;
}

/* What the map shows of where the storage lies, to both that are attached. */
static inline __u64 look(life *self)
{
	__u64 left = self->storage.place, broken;
	bool unpinned = self->storage.was_pinned, moved;

	if (!follow_must_look(&self->attachment, &self->call))
		return 0;
	broken = storage_found(&self->storage, &self->tally, &self->call,
			       &moved);
	if (!moved)
		return broken;
	self->storage.was_pinned = 0;
	return broken |
	       storage_left(&self->attachment, &self->tally, left, unpinned) |
	       storage_left(&self->other, &self->tally, left, unpinned);
}

static inline __u64 map(life *self, __u64 table, int direction)
{
	__u64 broken;

	self->call.table = table;
	self->call.direction = direction;
	broken = look(self);
	broken |= follow_map(self->law, &self->attachment, &self->tally,
			     &self->call);
	follow_add(&self->attachment, &self->call);
	return broken;
}

static inline __u64 unmap(life *self, __u64 table, int direction)
{
	__u64 broken;

	self->call.table = table;
	self->call.direction = direction;
	broken = follow_unmap(self->law, &self->attachment, &self->tally,
			      &self->call, BOUND_NS);
	if (!self->law->map_pins)
		follow_unmapped(&self->attachment);
	return broken;
}

static inline void tell(life *self)
{
	storage_told(&self->storage, &self->call);
	follow_told(self->law, &self->attachment, &self->tally, &self->call);
	follow_told(self->law, &self->other, &self->tally, &self->call);
}

static inline __u64 map_at(life *self, __u64 place)
{
	self->call.place = place;
	return map(self, 1, 0);
}

/* The exporter is asked to move, gives so many notices, and answers. */
static inline __u64 ask(life *self, unsigned int notices, int answer, bool held)
{
	__u64 broken;

	storage_asked(&self->storage, &self->call);
	while (notices--)
		tell(self);
	self->call.result = answer;
	broken = storage_answered(&self->storage, &self->tally, &self->call,
				  held);
	self->call.result = 0;
	return broken;
}

#endif

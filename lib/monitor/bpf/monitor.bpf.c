// SPDX-License-Identifier: GPL-2.0-only
/*
 * The programs of the monitor. Each runs when a function of the dma-buf core is
 * entered or left, finds out what the call is about, and judges it as follow.h
 * says. What was kept is only counted; what was broken goes to user space with
 * the chain of calls that led to it.
 *
 * What can be is a function of its own that is not static: the kernel looks at
 * such a function once, and not once for each way to come to it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <linux/bpf.h>
#include <linux/errno.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

#include "kernel.h"
#include "exporter/marks.h"
#include "monitor/follow.h"
#include "monitor/storage.h"
#include "state.h"
#include "hook.h"
#include "sight.h"
#include "round.h"
#include "place.h"
#include "walk.h"

char terms[] SEC("license") = "GPL";

/*
 * Run once, by the monitor: what it is called differs in other namespaces. Types of
 * another kernel would have its number elsewhere. Returns whether they may be right.
 */
SEC("syscall")
int note_monitor(void *context)
{
	const struct task_struct *task = (const void *)bpf_get_current_task();
	__u32 tgid = bpf_get_current_pid_tgid() >> 32;

	if (settings.only_below)
		monitor_tgid = tgid;
	return (__u32)BPF_CORE_READ(task, tgid) == tgid;
}

__noinline __u64 judge_export(struct sight *sight, bool named)
{
	struct watch_tally *tally;
	__u64 key;

	if (!sight || !is_wanted())
		return 0;
	/* One whose release was missed had this address: the new one is nobody's yet. */
	key = sight->buffer;
	bpf_map_delete_elem(&buffers, &key);
	tally = exporter_tally(sight);
	if (!tally)
		return 0;
	seen(sight);
	return follow_check(tally, WATCH_EXP_06, named);
}

ON(export_left)
{
	const struct dma_buf *dmabuf;
	struct sight sight;

	if (is_error(third))
		return 0;
	dmabuf = AS(dma_buf, third);
	/* Types of another kernel do not lead back. */
	if ((__u64)BPF_CORE_READ(dmabuf, file, private_data) != third)
		LOST(strange);
	look(&sight, WATCH_FN_EXPORT, dmabuf);
	return tell(ctx, &sight, judge_export(&sight, READ(dmabuf, exp_name)));
}

LEFT(export, "dma_buf_export", 1)

__noinline __u64 judge_release(struct sight *sight)
{
	const struct dma_buf *dmabuf;
	struct watch_buffer *buffer;
	struct watch_tally *tally;
	__u64 first, key;

	buffer = sight ? buffer_of(sight->buffer) : NULL;
	if (!buffer)
		return 0;
	key = sight->buffer;
	sight->pair = buffer->pair;
	tally = tally_of(sight->pair);
	dmabuf = KERNEL(dma_buf, sight->buffer);
	first = (__u64)BPF_CORE_READ(dmabuf, attachments.next);
	bpf_map_delete_elem(&buffers, &key);
	if (!tally)
		return 0;
	return follow_check(tally, WATCH_LIFE_02, first == sight->buffer +
			    bpf_core_field_offset(dmabuf->attachments));
}

/* A function of the file system: the buffer is in the directory entry. */
ON(release_entered)
{
	struct sight sight = {
		.function = WATCH_FN_RELEASE,
		.buffer = (__u64)READ(AS(dentry, first), d_fsdata),
	};

	return tell(ctx, &sight, judge_release(&sight));
}

ENTERED(release, "dma_buf_release")

/* Calls of which the lock alone is judged: it must be owned, or must not be. */
__noinline __u64 judge_lock(struct sight *sight, __u32 check, bool owned)
{
	struct watch_tally *tally;

	if (!sight || check >= WATCH_COUNT)
		return 0;
	tally = exporter_tally(sight);
	if (!tally)
		return 0;
	if (owned)
		return follow_locked(law(), tally, check, &sight->call);
	return follow_unlocked(law(), tally, check, &sight->call);
}

#define LOCK_PROGRAM(name, function, id, check, owned)			\
ON(name##_entered)							\
{									\
	struct sight sight;						\
									\
	look(&sight, WATCH_FN_##id, AS(dma_buf, first));		\
	return tell(ctx, &sight,					\
		    judge_lock(&sight, WATCH_##check, owned));		\
}									\
									\
ENTERED(name, function)

LOCK_PROGRAM(vmap, "dma_buf_vmap", VMAP, LOCK_01_c, true)
LOCK_PROGRAM(vunmap, "dma_buf_vunmap", VUNMAP, LOCK_01_c, true)
LOCK_PROGRAM(begin_cpu, "dma_buf_begin_cpu_access", BEGIN_CPU, LOCK_02_d, false)
LOCK_PROGRAM(end_cpu, "dma_buf_end_cpu_access", END_CPU, LOCK_02_d, false)
LOCK_PROGRAM(mmap, "dma_buf_mmap", MMAP, LOCK_02_e, false)

static __always_inline bool is_last_reference(const struct file *file)
{
	const struct file___new *new = (const void *)file;
	const struct file___old *old = (const void *)file;

	if (bpf_core_field_exists(new->f_ref))
		return !BPF_CORE_READ(new, f_ref.refcnt.counter);
	if (bpf_core_field_exists(old->f_count))
		return BPF_CORE_READ(old, f_count.counter) == 1;
	return false;
}

ON(put_entered)
{
	const struct dma_buf *dmabuf = AS(dma_buf, first);
	struct sight sight;

	if (!is_last_reference(READ(dmabuf, file)))
		return 0;
	look(&sight, WATCH_FN_PUT, dmabuf);
	return tell(ctx, &sight, judge_lock(&sight, WATCH_LOCK_02_c, false));
}

ENTERED(put, "dma_buf_put")

/* Mostly nobody gives notice, and then there is no need to look who does. */
static __always_inline __u64 judge_list(const struct sight *sight,
					struct watch_tally *tally)
{
	static const struct watch_buffer quiet;
	const struct watch_buffer *buffer;

	buffer = notifying ? buffer_of(sight->buffer) : &quiet;
	return buffer ? follow_list(buffer, tally, &sight->call) : 0;
}

/* The buffer is known from now on, if it is wanted. */
static __always_inline __u64 judge_attach(struct sight *sight,
					  const struct watch_buffer *buffer)
{
	struct watch_tally *tally = buffer ? tally_of(buffer->pair) : NULL;

	if (!tally)
		return 0;
	sight->pair = buffer->pair;
	return follow_unlocked(law(), tally, WATCH_LOCK_02_a, &sight->call) |
	       follow_list(buffer, tally, &sight->call);
}

/* Nothing is broken by an attach as long as this is so. */
static __always_inline bool is_quiet(const struct sight *sight)
{
	return !sight->call.owns && !notifying;
}

__noinline __u64 judge_attach_entered(struct sight *sight)
{
	return sight ? judge_attach(sight, attached_to(sight)) : 0;
}

/*
 * What may never return is judged before. The rest is counted when it has
 * returned, where all has to be looked up anyway.
 */
ON(attach_entered)
{
	struct sight sight;
	__u64 broken;

	look(&sight, WATCH_FN_ATTACH, AS(dma_buf, first));
	if (is_quiet(&sight))
		return 0;
	broken = judge_attach_entered(&sight);
	/* The live view has the call when its outcome is known. */
	return broken ? tell(ctx, &sight, broken) : 0;
}

/* How the first of a pair came to attach says whose module the importer is. */
static __always_inline void note_caller(void *context, const struct sight *sight)
{
	struct watch_pair_key key = {
		.exporter = sight->exporter,
		.importer = sight->importer,
	};
	struct watch_pair *pair;
	__u32 number = sight->pair;

	if (number >= WATCH_PAIRS || caller_known[number])
		return;
	pair = bpf_map_lookup_elem(&pairs, &key);
	if (!pair)
		return;
	bpf_get_stack(context, pair->caller, sizeof(pair->caller), 0);
	caller_known[number] = true;
}

/* Returns whether it is followed; one that has failed is only judged. */
__noinline bool judge_attach_left(struct sight *sight)
{
	struct watch_buffer *buffer = sight ? attached_to(sight) : NULL;

	if (!buffer)
		return false;
	if (is_quiet(sight))
		judge_attach(sight, buffer);
	if (!sight->attachment)
		return false;
	sight->pair = pair_on(buffer, sight);
	buffer->storage.changes++;
	follow_new(sight, 0);
	return true;
}

ON(attach_left)
{
	struct sight sight;

	if (is_error(third)) {
		look(&sight, WATCH_FN_ATTACH, AS(dma_buf, first));
		judge_attach_left(&sight);
		return 0;
	}
	see(&sight, WATCH_FN_ATTACH, AS(dma_buf_attachment, third));
	if (sight.buffer != first)
		LOST(strange);
	if (!judge_attach_left(&sight))
		return 0;
	note_caller(ctx, &sight);
	return tell(ctx, &sight, 0);
}

ENTERED_AND_LEFT(attach, "dma_buf_dynamic_attach", 4)

/*
 * A call on an attachment is judged by a function that is given what was looked
 * up once: what it is on, and where to count. Either may be NULL.
 */
#define JUDGE(name)							\
__noinline __u64 judge_##name(struct sight *sight,			\
			      struct watch_attachment *attachment,	\
			      struct watch_tally *tally)

#define JUDGED(name, sight) ({						\
	struct watch_attachment *on = followed(sight);			\
									\
	judge_##name(sight, on, on ? tally_of((sight)->pair) : NULL);	\
})

/* The buffer that detach names is in call.table. */
JUDGE(detach)
{
	struct watch_buffer *buffer;

	if (!sight || !attachment || !tally)
		return 0;
	note_change(sight->buffer);
	buffer = attachment->pins ? buffer_of(sight->buffer) : NULL;
	if (buffer)
		storage_unpinned(&buffer->storage, attachment->pins);
	return follow_detach(law(), attachment, tally, &sight->call,
			     sight->call.table) |
	       judge_list(sight, tally);
}

ON(detach_entered)
{
	struct sight sight;

	see(&sight, WATCH_FN_DETACH, AS(dma_buf_attachment, second));
	sight.call.table = first;
	tell(ctx, &sight, JUDGED(detach, &sight));
	bpf_map_delete_elem(&attachments, &sight.attachment);
	return 0;
}

ENTERED(detach, "dma_buf_detach")

ON(pin_entered)
{
	__u64 key = (__u64)READ(AS(dma_buf_attachment, first), dmabuf);
	struct watch_call call = { .task = bpf_get_current_task() };
	struct watch_buffer *buffer = buffer_of(key);

	if (buffer)
		storage_pin(&buffer->storage, &call);
	return 0;
}

JUDGE(pin)
{
	struct watch_buffer *buffer;

	if (!sight || !attachment || !tally)
		return 0;
	buffer = buffer_of(sight->buffer);
	if (buffer)
		storage_pinned(&buffer->storage, tally, &sight->call);
	follow_pinned(attachment, &sight->call);
	return follow_pin(law(), tally, &sight->call);
}

/* Nobody takes the lock within: that it is owned at the end tells as much. */
ON(pin_left)
{
	struct sight sight;

	see(&sight, WATCH_FN_PIN, AS(dma_buf_attachment, first));
	sight.call.result = (int)third;
	return tell(ctx, &sight, JUDGED(pin, &sight));
}

ENTERED_AND_LEFT(pin, "dma_buf_pin", 1)

JUDGE(unpin)
{
	struct watch_buffer *buffer;
	__u64 broken;
	__u32 pins;

	if (!sight || !attachment || !tally)
		return 0;
	pins = attachment->pins;
	broken = follow_unpin(law(), attachment, tally, &sight->call);
	buffer = attachment->pins < pins ? buffer_of(sight->buffer) : NULL;
	if (buffer)
		storage_unpinned(&buffer->storage, 1);
	return broken;
}

ON(unpin_entered)
{
	struct sight sight;

	see(&sight, WATCH_FN_UNPIN, AS(dma_buf_attachment, first));
	return tell(ctx, &sight, JUDGED(unpin, &sight));
}

ENTERED(unpin, "dma_buf_unpin")

/* The first tables of an attachment are walked, then each of so many. */
#define WALK_FIRST		8
#define WALK_EACH		16

__noinline __u64 judge_table(struct sight *sight, struct watch_tally *tally,
			     __u64 first, __u32 entries)
{
	struct walk walk = { .entry = first, .left = entries };

	if (!sight || !tally)
		return 0;
	/* Each entry, and as many links between arrays at most. */
	bpf_loop(2 * ENTRIES_MAX, walk_entry, &walk, 0);
	if (walk.left)
		return 0;
	return follow_table(tally, sight->call.size, walk.sum,
			    walk.odd_address, walk.odd_length, PAGE_BYTES);
}

JUDGE(map)
{
	__u64 broken = 0;

	if (!sight || !attachment || !tally)
		return 0;
	note_mapping(sight, attachment);
	if (sight->call.result >= 0 &&
	    follow_must_look(attachment, &sight->call))
		broken = judge_place(sight, tally);
	return broken | follow_map(law(), attachment, tally, &sight->call);
}

/* Returns whether the table is one of those to be walked. */
__noinline bool keep_mapping(struct sight *sight,
			     struct watch_attachment *attachment)
{
	if (!sight || !attachment)
		return false;
	if (!follow_add(attachment, &sight->call))
		LOST(mappings);
	return attachment->maps <= WALK_FIRST ||
	       attachment->maps % WALK_EACH == 0;
}

ON(map_left)
{
	struct watch_attachment *attachment;
	const struct scatterlist *first_entry;
	const struct sg_table *table;
	struct watch_tally *tally;
	struct sight sight;
	__u64 broken;

	see(&sight, WATCH_FN_MAP, AS(dma_buf_attachment, first));
	sight.call.direction = second;
	sight.call.table = third;
	if (is_error(third)) {
		sight.call.result = third;
		return tell(ctx, &sight, JUDGED(map, &sight));
	}
	table = AS(sg_table, third);
	first_entry = READ(table, sgl);
	sight.call.place = READ(first_entry, page_link) & ~LINK_FLAGS;
	attachment = followed(&sight);
	tally = attachment ? tally_of(sight.pair) : NULL;
	broken = judge_map(&sight, attachment, tally);
	if (keep_mapping(&sight, attachment))
		/* Read as a number: as a pointer it would be followed. */
		broken |= judge_table(&sight, tally,
				      (__u64)BPF_CORE_READ(table, sgl),
				      READ(table, nents));
	return tell(ctx, &sight, broken);
}

LEFT(map, "dma_buf_map_attachment", 2)

JUDGE(unmap)
{
	if (!sight || !attachment || !tally)
		return 0;
	note_mapping(sight, attachment);
	if (attachment->notices)
		sight->call.now_ns = bpf_ktime_get_ns();
	return follow_unmap(law(), attachment, tally, &sight->call,
			    settings.bound_ns);
}

ON(unmap_entered)
{
	struct sight sight;

	see(&sight, WATCH_FN_UNMAP, AS(dma_buf_attachment, first));
	sight.call.table = second;
	sight.call.direction = third;
	return tell(ctx, &sight, JUDGED(unmap, &sight));
}

ENTERED(unmap, "dma_buf_unmap_attachment")

/* Only where unmap unpins. */
ON(unmap_left)
{
	struct watch_attachment *attachment = attachment_of(first);

	if (attachment)
		follow_unmapped(attachment);
	return 0;
}

LEFT(unmap, "dma_buf_unmap_attachment", 3)

/* To take the lock that one has never ends: it is told before. */
JUDGE(variant)
{
	if (!sight || !attachment || !tally)
		return 0;
	return follow_unlocked(law(), tally, WATCH_MAP_01_c, &sight->call);
}

ON(map_unlocked_entered)
{
	struct sight sight;

	see(&sight, WATCH_FN_MAP_UNLOCKED, AS(dma_buf_attachment, first));
	return tell(ctx, &sight, JUDGED(variant, &sight));
}

ENTERED(map_unlocked, "dma_buf_map_attachment_unlocked")

ON(unmap_unlocked_entered)
{
	struct sight sight;

	see(&sight, WATCH_FN_UNMAP_UNLOCKED, AS(dma_buf_attachment, first));
	return tell(ctx, &sight, JUDGED(variant, &sight));
}

ENTERED(unmap_unlocked, "dma_buf_unmap_attachment_unlocked")

/* A notice, on its way to each attachment of the buffer. */
__noinline int note_told(__u64 key, __u64 now_ns)
{
	struct watch_attachment *attachment = attachment_of(key);
	struct watch_call call = { .now_ns = now_ns };
	struct watch_tally *tally;

	tally = attachment ? tally_of(attachment->pair) : NULL;
	if (!tally)
		return 0;
	follow_told(law(), attachment, tally, &call);
	return 0;
}

static long tell_attachment(__u32 index, void *context)
{
	struct round *round = context;
	__u64 key = next_of(round);

	if (!key)
		return 1;
	note_told(key, round->now_ns);
	return 0;
}

/* From now on its owner keeps the lock. */
static __always_inline void begin_notice(const struct sight *sight)
{
	struct notice notice = {
		.task = sight->call.task,
		.buffer = sight->buffer,
		.pair = sight->pair,
	};
	__u64 key = sight->call.resv;

	if (sight->call.owns &&
	    !bpf_map_update_elem(&notices, &key, &notice, BPF_ANY))
		__sync_fetch_and_add(&notices_open, 1);
}

__noinline __u64 judge_notice(struct sight *sight)
{
	struct watch_buffer *buffer;
	struct watch_tally *tally;
	struct round round;

	tally = sight ? exporter_tally(sight) : NULL;
	if (!tally)
		return 0;
	begin_round(&round, sight->buffer);
	round.now_ns = bpf_ktime_get_ns();
	bpf_loop(ATTACHMENTS_MAX, tell_attachment, &round, 0);
	buffer = seen(sight);
	if (buffer) {
		storage_told(&buffer->storage, &sight->call);
		buffer->notifying = sight->call.task;
		__sync_fetch_and_add(&notifying, 1);
	}
	begin_notice(sight);
	return follow_notify(law(), tally, &sight->call);
}

/* Who let the lock go was told of when it did. */
__noinline __u64 judge_noticed(struct sight *sight)
{
	struct watch_buffer *buffer = sight ? buffer_of(sight->buffer) : NULL;
	struct watch_tally *tally = sight ? exporter_tally(sight) : NULL;
	struct notice *notice;
	__u64 key;

	if (buffer && buffer->notifying) {
		buffer->notifying = 0;
		__sync_fetch_and_add(&notifying, -1);
	}
	if (!tally)
		return 0;
	key = sight->call.resv;
	notice = bpf_map_lookup_elem(&notices, &key);
	if (!notice)
		return 0;
	follow_check(tally, WATCH_LOCK_05_a, !notice->dropped);
	if (!bpf_map_delete_elem(&notices, &key))
		__sync_fetch_and_add(&notices_open, -1);
	return 0;
}

#define NOTICE_PROGRAMS(name, function)					\
ON(name##_entered)							\
{									\
	struct sight sight;						\
									\
	look(&sight, WATCH_FN_NOTIFY, AS(dma_buf, first));		\
	return tell(ctx, &sight, judge_notice(&sight));			\
}									\
									\
ON(name##_left)								\
{									\
	struct sight sight;						\
									\
	look(&sight, WATCH_FN_NOTIFY, AS(dma_buf, first));		\
	judge_noticed(&sight);						\
	return 0;							\
}									\
									\
ENTERED_AND_LEFT(name, function, 1)

NOTICE_PROGRAMS(invalidate, "dma_buf_invalidate_mappings")
NOTICE_PROGRAMS(move_notify, "dma_buf_move_notify")

/* The marks of exporter/marks.h, of which the kernel knows nothing. */
ON(ioctl_entered)
{
	bool ends = second == MARK_MOVE_ENDS;
	struct sight sight = {
		.function = ends ? WATCH_FN_MOVE : WATCH_FN_MOVE_BEGINS,
	};

	if (!ends && second != MARK_MOVE_BEGINS)
		return 0;
	sight.buffer = (__u64)READ(AS(file, first), private_data);
	sight.call.task = bpf_get_current_task();
	sight.call.result = -(__s64)third;
	return tell(ctx, &sight, judge_move(&sight, ends));
}

ENTERED(ioctl, "dma_buf_ioctl")

ON(unlock_entered)
{
	const struct dma_resv *none = NULL;
	__u64 key = first - bpf_core_field_offset(none->lock);
	struct sight sight = { .function = WATCH_FN_UNLOCK };
	struct notice *notice;

	/* Locks of this kind are let go all the time, by graphics drivers most. */
	if (!notices_open)
		return 0;
	notice = bpf_map_lookup_elem(&notices, &key);
	if (!notice || notice->task != bpf_get_current_task())
		return 0;
	notice->dropped = 1;
	sight.buffer = notice->buffer;
	sight.pair = notice->pair;
	sight.owner = notice->task;
	return tell(ctx, &sight, 1ULL << WATCH_LOCK_05_a);
}

ENTERED(unlock, "ww_mutex_unlock")

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the BPF programs of the monitor and its user space share: the state of
 * each attachment and buffer, and the records of what happens. Only plain
 * types, since it is compiled for both.
 */
#ifndef CTS_WATCH_H
#define CTS_WATCH_H

#include <linux/types.h>
#ifndef __bpf__
#include <stdbool.h>
#endif

/* What is judged; checks.def has the clause of each. */
enum watch_check {
#define WATCH(clause, memory, calls) WATCH_##clause,
#include "monitor/checks.def"
#undef WATCH
	WATCH_COUNT
};

/* At a time, of one attachment; of more the pairing is not judged. */
#define WATCH_MAPPINGS		8
/* Of different exporters with different importers; more share the number 0. */
#define WATCH_PAIRS		64
#define WATCH_STACK		24
#define WATCH_CALLERS		10
#define WATCH_PROGRAMS		64
#define WATCH_NAME_SIZE		40
#define WATCH_COMM_SIZE		16

/* What an attachment is, or a call found it to be. */
#define WATCH_DYNAMIC		0x01	/* attached with importer operations */
#define WATCH_TOLD		0x02	/* among them one for notices */
#define WATCH_PINNABLE		0x04	/* the exporter has a pin operation */
#define WATCH_ADOPTED		0x08	/* older than the monitor */
#define WATCH_UNCOUNTED		0x10	/* had more than WATCH_MAPPINGS */
#define WATCH_PIN_FAILED	0x20	/* its last pin did */
#define WATCH_HEARD		0x40	/* told since its last map */
#define WATCH_LOOK		0x80	/* its next map is to be compared with others' */

/* The calls that are seen, as records name them. */
enum watch_function {
#define FUNCTION(id, name) WATCH_FN_##id,
#include "monitor/functions.def"
#undef FUNCTION
	WATCH_FN_COUNT
};

/* What holds on this kernel, as far as calls are judged by it. */
struct watch_law {
	__u8 owner_readable;	/* the lock tells its owner */
	__u8 map_lock_always;	/* also where both sides are static */
	__u8 vmap_locked;	/* vmap needs the reservation */
	__u8 map_pins;		/* the core unpins within unmap */
	__u8 pinned_notice;	/* a notice to the pinned means revoke */
};

/**
 * struct watch_call - one call, as it was found
 * @now_ns: CLOCK_MONOTONIC; of notices, and of an unmap that may follow one
 * @task: who called
 * @table: of map and unmap
 * @size: of the buffer
 * @resv: its reservation
 * @place: of its first page; 0: not known
 * @result: negative errno, or 0
 * @direction: of map and unmap
 * @facts: WATCH_DYNAMIC and the like
 * @owns: the caller owns the reservation
 */
struct watch_call {
	__u64 now_ns;
	__u64 task;
	__u64 table;
	__u64 size;
	__u64 resv;
	__u64 place;
	__s64 result;
	__u32 direction;
	__u16 facts;
	__u8 owns;
};

/**
 * struct watch_mapping - what is mapped
 * @table: 0: nothing
 * @told_ns: when its importer was told to give it up; 0: was not
 * @direction: that it was mapped for
 */
struct watch_mapping {
	__u64 table;
	__u64 told_ns;
	__u32 direction;
	__u32 reserved;
};

/**
 * struct watch_attachment - what was seen of an attachment
 * @buffer: its dma-buf
 * @size, @resv: of that, at attach
 * @place: of the first page at its last map; 0: not known
 * @unmapping: the task that is in unmap
 * @pins, @mapped: how many it has now
 * @maps, @notices: how many it had
 * @late_ns: the longest that a mapping outlived a notice
 * @pair: the number of exporter and importer
 * @tgid, @comm: the process that attached
 */
struct watch_attachment {
	__u64 buffer;
	__u64 size;
	__u64 resv;
	__u64 place;
	__u64 unmapping;
	__u64 late_ns;
	__u32 pins;
	__u32 mapped;
	__u32 maps;
	__u32 notices;
	__u32 pair;
	__u32 tgid;
	__u16 facts;
	char comm[WATCH_COMM_SIZE];
	struct watch_mapping mappings[WATCH_MAPPINGS];
};

/**
 * struct watch_storage - what was seen of where a buffer is
 * @place: of the first page at the last map, whoever mapped; 0: not known
 * @pinning: the task that is in pin
 * @asking: the task that has the exporter move the storage
 * @pins: of all attachments
 * @notices: since @place was seen
 * @changes: how often anything came or went that may hold the storage
 * @asked_told, @asked_changes: notices since @asking asked, and @changes when it did
 * @asked: since @place was seen a move was asked for, and not refused
 * @was_pinned: it was, and has not moved since the last unpin
 * @pin_told: there was a notice within the pin
 * @pin_open: whether the present pin moved it is not known yet
 */
struct watch_storage {
	__u64 place;
	__u64 pinning;
	__u64 asking;
	__u32 pins;
	__u32 notices;
	__u32 changes;
	__u32 asked_changes;
	__u32 asked_told;
	__u8 asked;
	__u8 was_pinned;
	__u8 pin_told;
	__u8 pin_open;
};

/**
 * struct watch_buffer - what was seen of a dma-buf
 * @size, @resv: at first sight
 * @notifying: the task that is giving notice
 * @pair: of its exporter with no importer
 * @last_pair: that attached last: what the importer is known by, and its number
 */
struct watch_buffer {
	__u64 size;
	__u64 resv;
	__u64 notifying;
	__u64 last_pair;
	__u32 pair;
	__u32 reserved;
	struct watch_storage storage;
};

/**
 * struct watch_tally - counts, per pair and processor; user space adds them up
 * @checked, @broken: how often each clause was
 * @loose_maps: by importers that neither have pinned nor can be told of moves,
 *	of exporters that can pin: whether they may is not said anywhere
 * @pinned_notices: that were given to the pinned where that means nothing, unless
 *	to an exporter that revokes by them
 */
struct watch_tally {
	__u64 checked[WATCH_COUNT];
	__u64 broken[WATCH_COUNT];
	__u64 loose_maps;
	__u64 pinned_notices;
};

/* What was not seen, per processor. */
struct watch_lost {
	__u64 attachments;	/* no room to follow one */
	__u64 buffers;
	__u64 mappings;		/* more at a time than are paired */
	__u64 pairs;		/* more than have numbers of their own */
	__u64 details;		/* no room for a record; it is counted all the same */
	__u64 lines;		/* no room for one of the live view */
	__u64 returns;		/* of calls that it is not known what was passed to */
	__u64 strange;		/* buffers that are not what the types say */
};

/* Whose tally it is. */
struct watch_pair_key {
	__u64 exporter;		/* its operations */
	__u64 importer;		/* its operations, driver or device; 0: none */
};

struct watch_pair {
	__u32 number;
	__u32 dynamic;
	__u64 importer_ops;
	__u64 caller[WATCH_CALLERS];	/* of attach */
	char exporter[WATCH_NAME_SIZE];
	char exporter_module[WATCH_NAME_SIZE];
	char driver[WATCH_NAME_SIZE];
	char device[WATCH_NAME_SIZE];
};

/**
 * struct watch_event - a call that broke something, or any for the live view
 * @broken: bit mask of enum watch_check
 * @stack: return addresses, innermost first, @stack_bytes of them
 */
struct watch_event {
	__u64 broken;
	__u64 now_ns;
	__u64 attachment;
	__u64 buffer;
	__u64 owner;
	__s64 result;
	__u32 function;
	__u32 pair;
	__u32 pid;
	__u32 tgid;
	__u32 pins;
	__u32 mapped;
	__s64 stack_bytes;
	char comm[WATCH_COMM_SIZE];
	__u64 stack[WATCH_STACK];
};

/* Fixed while the programs run. */
struct watch_settings {
	struct watch_law law;
	__u8 live;		/* record each call */
	__u8 only_below;	/* follow what processes below the monitor make */
	__u32 only_tgid;	/* follow what this process makes; 0: all */
	__u64 bound_ns;		/* from a notice to unmap */
};

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* The BPF programs: load them, take them away, read what they counted. */
#ifndef CTS_PROBES_H
#define CTS_PROBES_H

#include <stdbool.h>
#include <stddef.h>

#include "monitor/watch.h"

#define PROBES_UNSEEN_MAX	24
/* Attachments that are followed at a time. */
#define PROBES_ROOM		(1 << 14)
#define PROBES_ROOM_MAX		(1 << 20)

struct probes;

/* A pair of drivers and its counts; @pair.exporter is empty for number 0. */
struct probes_count {
	bool known;
	struct watch_pair pair;
	struct watch_tally tally;
};

/**
 * struct probes_loss - what was not seen
 * @lost: as the programs counted it
 * @missed: calls that came while a program was busy, by function
 * @missed_others: and of functions that have no number
 */
struct probes_loss {
	struct watch_lost lost;
	unsigned long long missed[WATCH_FN_COUNT];
	unsigned long long missed_others;
};

typedef void (*probes_sink)(void *context, const struct watch_event *event);

/**
 * probes_open - load the programs and have them see all calls from now on
 * @settings: @law and the like; owner_readable is found out here
 * @btf: a file with the kernel's types; NULL: the kernel describes them itself, or
 *	a file does that btf_file_find() finds
 * @room: for so many attachments, and four times as many buffers, up to
 *	PROBES_ROOM_MAX; and for as many events as that is worth
 * @sink: takes events, from within probes_poll()
 * @context: for @sink
 * @problem: where to write why it cannot be
 * @size: bytes at @problem
 *
 * Return: the programs, or NULL with a sentence at @problem.
 */
struct probes *probes_open(struct watch_settings *settings, const char *btf,
			   unsigned int room, probes_sink sink, void *context,
			   char *problem, size_t size);

/**
 * probes_close - take the programs away
 * @probes: from probes_open(), or NULL
 */
void probes_close(struct probes *probes);

/**
 * probes_way - how the programs come to run, to people
 * @probes: the programs
 */
const char *probes_way(const struct probes *probes);

/**
 * probes_why_not - a better way that they do not come to run by, and why not
 * @probes: the programs
 * @index: 0 for the first
 *
 * Return: NULL if there are no more.
 */
const char *probes_why_not(const struct probes *probes, size_t index);

/**
 * probes_unseen - a function that this kernel lacks, or does not let be seen
 * @probes: the programs
 * @index: 0 for the first
 *
 * Return: its name; NULL if there are no more.
 */
const char *probes_unseen(const struct probes *probes, size_t index);

/**
 * probes_fd - becomes readable when there are events
 * @probes: the programs
 */
int probes_fd(const struct probes *probes);

/**
 * probes_poll - hand on what events there are
 * @probes: the programs
 */
void probes_poll(struct probes *probes);

/**
 * probes_count - the counts of a pair, up to now
 * @probes: the programs
 * @counts: WATCH_PAIRS of them, by number
 */
void probes_count(struct probes *probes, struct probes_count *counts);

/**
 * probes_loss - what was not seen, up to now
 * @probes: the programs
 * @loss: where to write it
 */
void probes_loss(struct probes *probes, struct probes_loss *loss);

/**
 * probes_attachments - those that there are now
 * @probes: the programs
 * @visit: called with each; its key is the attachment's address
 * @context: for @visit
 */
void probes_attachments(struct probes *probes,
			void (*visit)(void *context, __u64 key,
				      const struct watch_attachment *attachment),
			void *context);

#endif

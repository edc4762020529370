/* SPDX-License-Identifier: GPL-2.0-only */
/* What is still attached, mapped or pinned, and by whom. */
#ifndef CTS_LEFT_H
#define CTS_LEFT_H

#include <stdio.h>

#include "monitor/watch.h"

#define LEFT_MAX	32

/**
 * struct left_process - a process with attachments
 * @alive: it still runs
 * @attachments, @mappings, @pins: that it has
 * @bytes: pinned
 */
struct left_process {
	__u32 tgid;
	bool alive;
	char comm[WATCH_COMM_SIZE];
	unsigned int attachments;
	unsigned int mappings;
	unsigned int pins;
	unsigned long long bytes;
};

/**
 * struct left - of each process, and what is overdue
 * @processes: the first LEFT_MAX
 * @count: how many
 * @overdue: mappings that have outlived a notice by more than the bound, by
 *	the number of their pair
 */
struct left {
	struct left_process processes[LEFT_MAX];
	unsigned int count;
	unsigned int overdue[WATCH_PAIRS];
	__u64 now_ns;
	__u64 bound_ns;
};

/**
 * left_add - take an attachment in
 * @left: struct left, with @now_ns and @bound_ns set
 * @key: not needed
 * @attachment: the attachment
 */
void left_add(void *left, __u64 key, const struct watch_attachment *attachment);

/**
 * left_print - a line for each process, to people
 * @left: what is left
 * @out: where to
 */
void left_print(const struct left *left, FILE *out);

#endif

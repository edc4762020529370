// SPDX-License-Identifier: GPL-2.0-only
#include "monitor/left.h"

#include <signal.h>
#include <string.h>

#include "monitor/name.h"

static struct left_process *find(struct left *left,
				 const struct watch_attachment *attachment)
{
	struct left_process *process;

	for (unsigned int i = 0; i < left->count; i++)
		if (left->processes[i].tgid == attachment->tgid)
			return &left->processes[i];
	if (left->count == LEFT_MAX)
		return NULL;
	process = &left->processes[left->count++];
	process->tgid = attachment->tgid;
	process->alive = !kill(attachment->tgid, 0);
	memcpy(process->comm, attachment->comm, sizeof(process->comm));
	name_clean(process->comm);
	return process;
}

static void add_overdue(struct left *left,
			const struct watch_attachment *attachment)
{
	for (int i = 0; i < WATCH_MAPPINGS; i++) {
		__u64 told_ns = attachment->mappings[i].told_ns;

		if (attachment->mappings[i].table && told_ns &&
		    left->now_ns > told_ns + left->bound_ns)
			left->overdue[attachment->pair % WATCH_PAIRS]++;
	}
}

void left_add(void *context, __u64 key,
	      const struct watch_attachment *attachment)
{
	struct left *left = context;
	struct left_process *process = find(left, attachment);

	(void)key;
	add_overdue(left, attachment);
	if (!process)
		return;
	process->attachments++;
	process->mappings += attachment->mapped;
	process->pins += attachment->pins;
	if (attachment->pins)
		process->bytes += attachment->size;
}

void left_print(const struct left *left, FILE *out)
{
	for (unsigned int i = 0; i < left->count; i++) {
		const struct left_process *process = &left->processes[i];

		fprintf(out, "# left: %.*s[%u]%s: %u attachments, %u mappings, "
			"%u pins (%llu bytes pinned)\n", WATCH_COMM_SIZE,
			process->comm, process->tgid,
			process->alive ? "" : ", which has ended",
			process->attachments, process->mappings, process->pins,
			process->bytes);
	}
}

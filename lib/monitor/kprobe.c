// SPDX-License-Identifier: GPL-2.0-only
#include "monitor/kprobe.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "monitor/watch.h"

/* Calls of one function that have yet to return, at a time. */
#define RETURNS_MAX	1024
/* How often it is looked whether hits and runs are the same. */
#define LOOKS		50
#define LOOK_US		2000
/* Of an event: the process and the program, under one name. */
#define GROUP		"cts_monitor"
#define EVENT		"cts_%d_%s"
#define EVENT_SIZE	64

static const char *const folders[] = {
	"/sys/kernel/tracing", "/sys/kernel/debug/tracing",
};

static struct {
	char event[EVENT_SIZE];
	unsigned long long missed;
} probes[WATCH_PROGRAMS];

static unsigned int probe_count;

/* NULL: there is none. */
static const char *find_folder(void)
{
	char path[64];

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		snprintf(path, sizeof(path), "%s/kprobe_events", folders[i]);
		if (!access(path, W_OK))
			return folders[i];
	}
	return NULL;
}

static const char *folder(void)
{
	return find_folder() ?: folders[0];
}

const char *kprobe_obstacle(void)
{
	return find_folder() ? NULL :
		"there is no kprobe_events in /sys/kernel/tracing: do 'mount -t "
		"tracefs none /sys/kernel/tracing'; it takes CONFIG_KPROBE_EVENTS";
}

static FILE *open_file(const char *name)
{
	char path[160];

	snprintf(path, sizeof(path), "%s/%s", folder(), name);
	return fopen(path, "re");
}

/* Not by stdio, which would look for the end of what has none. */
static int command(const char *line)
{
	char path[64];
	int file, error = 0;

	snprintf(path, sizeof(path), "%s/kprobe_events", folder());
	file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (file < 0)
		return -errno;
	if (write(file, line, strlen(line)) < 0)
		error = -errno;
	close(file);
	return error;
}

static int add_event(const char *event, const char *function, bool at_return)
{
	char line[256], kind[16] = "p";

	if (at_return)
		snprintf(kind, sizeof(kind), "r%d", RETURNS_MAX);
	snprintf(line, sizeof(line), "%s:" GROUP "/%s %s\n", kind, event,
		 function);
	return command(line);
}

static void remove_event(const char *event)
{
	char line[128];

	snprintf(line, sizeof(line), "-:" GROUP "/%.*s\n", EVENT_SIZE, event);
	command(line);
}

static int event_id(const char *event)
{
	char name[128];
	FILE *file;
	int id = -1;

	snprintf(name, sizeof(name), "events/" GROUP "/%s/id", event);
	file = open_file(name);
	if (!file)
		return -errno;
	if (fscanf(file, "%d", &id) != 1)
		id = -EIO;
	fclose(file);
	return id;
}

/* The program sees all processors, on whichever the event is. */
static int link_event(int id, const struct bpf_program *program,
		      unsigned int number)
{
	LIBBPF_OPTS(bpf_link_create_opts, options,
		    .perf_event.bpf_cookie = number);
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = id,
	};
	int event = syscall(SYS_perf_event_open, &attr, -1, 0, -1,
			    PERF_FLAG_FD_CLOEXEC);
	int link;

	if (event < 0)
		return -errno;
	link = bpf_link_create(bpf_program__fd(program), event, BPF_PERF_EVENT,
			       &options);
	if (link < 0)
		link = -errno;
	close(event);
	return link;
}

/* Of a process that is gone, or had our number before; nobody else's. */
static void remove_left(const char *line)
{
	char event[EVENT_SIZE];
	int process;

	line = strstr(line, ":" GROUP "/cts_");
	if (!line)
		return;
	line += strlen(":" GROUP "/");
	snprintf(event, sizeof(event), "%.*s", (int)strcspn(line, " \n"), line);
	if (sscanf(event, "cts_%d_", &process) != 1)
		return;
	if (process == getpid() || (kill(process, 0) && errno == ESRCH))
		remove_event(event);
}

/* The list is read as a whole: it goes on by number, and removal renumbers it. */
static void remove_all_left(void)
{
	FILE *file = open_file("kprobe_events");
	char *list = NULL, *next;
	size_t size = 0;

	if (!file)
		return;
	if (getdelim(&list, &size, '\0', file) > 0) {
		next = list;
		for (char *line; (line = strsep(&next, "\n"));)
			remove_left(line);
	}
	free(list);
	fclose(file);
}

int kprobe_attach(const struct bpf_program *program, const char *function,
		  unsigned int number)
{
	bool at_return = !strncmp(bpf_program__section_name(program),
				  "kretprobe/", strlen("kretprobe/"));
	char *event;
	int id;

	if (number >= WATCH_PROGRAMS)
		return -E2BIG;
	/* One that was killed may have left events of the names that ours will have. */
	if (!probe_count)
		remove_all_left();
	event = probes[number].event;
	snprintf(event, EVENT_SIZE, EVENT, getpid(), bpf_program__name(program));
	id = add_event(event, function, at_return);
	if (id)
		return id;
	probe_count = number + 1;
	id = event_id(event);
	return id < 0 ? id : link_event(id, program, number);
}

/* Adds up what each processor counted. */
static void read_runs(int map, unsigned long long *runs)
{
	int processors = libbpf_num_possible_cpus();
	__u64 *counts = calloc(processors, sizeof(*counts));

	for (__u32 i = 0; i < probe_count; i++) {
		runs[i] = 0;
		if (!counts || bpf_map_lookup_elem(map, &i, counts))
			continue;
		for (int cpu = 0; cpu < processors; cpu++)
			runs[i] += counts[cpu];
	}
	free(counts);
}

/* A call that comes between counts as missed for once; what is least is true. */
static void compare(const char *event, unsigned long long hits,
		    unsigned long long misses, const unsigned long long *runs)
{
	for (unsigned int i = 0; i < probe_count; i++) {
		unsigned long long missed = misses;

		if (strcmp(event, probes[i].event))
			continue;
		if (hits > runs[i])
			missed += hits - runs[i];
		if (missed < probes[i].missed)
			probes[i].missed = missed;
	}
}

/* What was counted first are the runs, so that none can hide a hit without. */
static void look(int map)
{
	unsigned long long runs[WATCH_PROGRAMS], hits, misses;
	char event[EVENT_SIZE];
	FILE *file;

	read_runs(map, runs);
	file = open_file("kprobe_profile");
	if (!file)
		return;
	while (fscanf(file, "%63s %llu %llu", event, &hits, &misses) == 3)
		compare(event, hits, misses, runs);
	fclose(file);
}

static unsigned long long sum(void)
{
	unsigned long long missed = 0;

	for (unsigned int i = 0; i < probe_count; i++)
		missed += probes[i].missed;
	return missed;
}

void kprobe_look(int runs)
{
	/* What cannot be read may have been missed. */
	for (unsigned int i = 0; i < probe_count; i++)
		probes[i].missed = ~0U;
	for (int i = 0; i < LOOKS; i++) {
		look(runs);
		if (!sum())
			break;
		usleep(LOOK_US);
	}
}

unsigned long long kprobe_missed(unsigned int number)
{
	return number < probe_count ? probes[number].missed : 0;
}

void kprobe_remove_all(void)
{
	if (!probe_count)
		return;
	for (unsigned int i = 0; i < probe_count; i++)
		remove_event(probes[i].event);
	probe_count = 0;
	remove_all_left();
}

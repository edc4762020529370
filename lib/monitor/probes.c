// SPDX-License-Identifier: GPL-2.0-only
/* The BPF programs, by libbpf. */
#include "monitor/probes.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "monitor/hook.h"

#define CORE_FUNCTION	"dma_buf_map_attachment"

#define FUNCTIONS_MAX	128
/* Of each attachment that there is room for. */
#define BUFFERS_EACH		4
#define EVENT_BYTES_EACH	64

struct functions {
	const char *names[FUNCTIONS_MAX];
	size_t count;
	bool sessions;
};

struct hook {
	const struct bpf_program *program;
	int fd;
};

struct probes {
	unsigned int room;
	struct bpf_object *object;
	struct ring_buffer *ring;
	bool sessions;
	char why_not[300];
	struct hook *hooks;
	size_t hook_count;
	const char *unseen[PROBES_UNSEEN_MAX];
	size_t unseen_count;
	probes_sink sink;
	void *context;
};

/* The last complaint of the library, for when it fails. */
static char complaint[400];

static int keep_complaint(enum libbpf_print_level level, const char *format,
			  va_list arguments)
{
	char line[sizeof(complaint)];

	if (level != LIBBPF_WARN)
		return 0;
	if (getenv("DMABUF_CTS_MONITOR_DEBUG"))
		return vfprintf(stderr, format, arguments);
	vsnprintf(line, sizeof(line), format, arguments);
	line[strcspn(line, "\n")] = '\0';
	if (!*complaint)
		strcpy(complaint, line);
	return 0;
}

static struct probes *give_up(struct probes *probes, char *problem, size_t size,
			      const char *what, int error)
{
	snprintf(problem, size, "%s: %s%s%s", what, strerror(error),
		 *complaint ? "; " : "", complaint);
	probes_close(probes);
	return NULL;
}

static bool kallsyms_has(const char *name)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	char line[512], symbol[256];
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file))
		found = sscanf(line, "%*s %*s %255s", symbol) == 1 &&
			!strcmp(symbol, name);
	if (file)
		fclose(file);
	return found;
}

/* Whether the lock is a plain mutex, whose owner can be read. */
static bool has_owner(const struct btf *btf)
{
	int id = btf__find_by_name_kind(btf, "mutex", BTF_KIND_STRUCT);
	const struct btf_type *type = id > 0 ? btf__type_by_id(btf, id) : NULL;
	const struct btf_member *member = type ? btf_members(type) : NULL;

	for (int i = 0; type && i < btf_vlen(type); i++)
		if (!strcmp(btf__name_by_offset(btf, member[i].name_off),
			    "owner"))
			return true;
	return false;
}

/* Functions of the kernel that programs can be for: one look at all types. */
static void find_functions(const struct btf *btf, struct functions *functions)
{
	memset(functions, 0, sizeof(*functions));
	for (__u32 id = 1; id < btf__type_cnt(btf); id++) {
		const struct btf_type *type = btf__type_by_id(btf, id);
		const char *name;

		if (!btf_is_func(type) || functions->count == FUNCTIONS_MAX)
			continue;
		functions->sessions |= hook_has_sessions(btf, id);
		name = btf__name_by_offset(btf, type->name_off);
		if (!strncmp(name, "dma_buf_", strlen("dma_buf_")) ||
		    !strcmp(name, "ww_mutex_unlock"))
			functions->names[functions->count++] = name;
	}
}

static bool has_function(const struct functions *functions, const char *name)
{
	for (size_t i = 0; i < functions->count; i++)
		if (!strcmp(functions->names[i], name))
			return true;
	return false;
}

/* Which of two names a function has is for the kernel to say. */
static bool is_other_name(const struct functions *functions, const char *name)
{
	static const char *const names[] = {
		"dma_buf_move_notify", "dma_buf_invalidate_mappings",
	};

	for (int i = 0; i < 2; i++)
		if (!strcmp(name, names[i]))
			return has_function(functions, names[!i]);
	return false;
}

static struct btf *kernel_types(struct functions *functions, char *problem,
				size_t size)
{
	struct btf *btf = btf__load_vmlinux_btf();

	if (btf)
		find_functions(btf, functions);
	if (btf && has_function(functions, CORE_FUNCTION))
		return btf;
	if (btf || !kallsyms_has(CORE_FUNCTION))
		snprintf(problem, size, "this kernel has no dma-buf: there is "
			 "no %s()", CORE_FUNCTION);
	else
		snprintf(problem, size, "this kernel does not describe its "
			 "types: it is built without CONFIG_DEBUG_INFO_BTF");
	btf__free(btf);
	return NULL;
}

static bool is_wanted(const struct bpf_program *program,
		      const struct watch_law *law)
{
	const char *name = bpf_program__name(program);

	if (!strcmp(name, "unmap_left"))
		return law->map_pins;
	if (!strcmp(name, "unlock_entered"))
		return law->owner_readable;
	if (!strcmp(name, "vmap_entered") || !strcmp(name, "vunmap_entered"))
		return law->vmap_locked;
	return true;
}

static void choose_programs(struct probes *probes,
			    const struct functions *functions,
			    const struct watch_law *law)
{
	struct bpf_program *program;

	probes->unseen_count = 0;
	bpf_object__for_each_program(program, probes->object) {
		const char *name = hook_function(program);
		bool there = name && has_function(functions, name);

		if (!name)
			continue;
		if (!there || !is_wanted(program, law))
			bpf_program__set_autoload(program, false);
		if (!there && !is_other_name(functions, name) &&
		    probes->unseen_count < PROBES_UNSEEN_MAX)
			probes->unseen[probes->unseen_count++] = name;
	}
}

static int set_settings(struct probes *probes,
			const struct watch_settings *settings)
{
	struct bpf_map *map = bpf_object__find_map_by_name(probes->object,
							   ".rodata.settings");
	size_t size;
	void *value = map ? bpf_map__initial_value(map, &size) : NULL;

	if (!value || size < sizeof(*settings))
		return -EINVAL;
	memcpy(value, settings, sizeof(*settings));
	return 0;
}

/* Of whole pages, and a power of two. */
static __u32 event_bytes(__u32 room)
{
	__u32 bytes = getpagesize();

	while (bytes < room * EVENT_BYTES_EACH)
		bytes *= 2;
	return bytes;
}

static int set_room(const struct probes *probes)
{
	const struct {
		const char *map;
		__u32 entries;
	} rooms[] = {
		{ "attachments", probes->room },
		{ "buffers", probes->room * BUFFERS_EACH },
		{ "events", event_bytes(probes->room) },
	};
	int error = 0;

	for (size_t i = 0; !error && i < sizeof(rooms) / sizeof(rooms[0]); i++)
		error = bpf_map__set_max_entries(
			bpf_object__find_map_by_name(probes->object,
						     rooms[i].map),
			rooms[i].entries);
	return error;
}

static int attach_all(struct probes *probes)
{
	struct bpf_program *program;
	size_t count = 0;

	bpf_object__for_each_program(program, probes->object)
		count++;
	probes->hooks = calloc(count, sizeof(*probes->hooks));
	if (!probes->hooks)
		return -ENOMEM;
	bpf_object__for_each_program(program, probes->object) {
		struct hook hook = { .program = program };

		if (!bpf_program__autoload(program) || !hook_function(program))
			continue;
		hook.fd = hook_attach(program);
		if (hook.fd < 0)
			return hook.fd;
		probes->hooks[probes->hook_count++] = hook;
	}
	return 0;
}

/* Tells the programs who is to be followed: whoever is below this process. */
static int note_monitor(struct probes *probes)
{
	LIBBPF_OPTS(bpf_test_run_opts, options);
	struct bpf_program *program =
		bpf_object__find_program_by_name(probes->object, "note_monitor");

	return bpf_prog_test_run_opts(bpf_program__fd(program), &options);
}

static int take_event(void *context, void *data, size_t size)
{
	struct probes *probes = context;

	if (size >= sizeof(struct watch_event))
		probes->sink(probes->context, data);
	return 0;
}

static int map_fd(const struct probes *probes, const char *name)
{
	return bpf_object__find_map_fd_by_name(probes->object, name);
}

static int load(struct probes *probes, const struct functions *functions,
		const struct watch_settings *settings, bool sessions)
{
	int error;

	probes->sessions = sessions;
	probes->object = hook_open(sessions);
	if (!probes->object)
		return -errno;
	choose_programs(probes, functions, &settings->law);
	error = set_room(probes) ?: set_settings(probes, settings);
	if (!error)
		error = bpf_object__load(probes->object);
	if (!error && settings->only_below)
		error = note_monitor(probes);
	if (error)
		return error;
	probes->ring = ring_buffer__new(map_fd(probes, "events"), take_event,
					probes, NULL);
	return probes->ring ? attach_all(probes) : -errno;
}

static void unload(struct probes *probes)
{
	for (size_t i = 0; i < probes->hook_count; i++)
		close(probes->hooks[i].fd);
	free(probes->hooks);
	ring_buffer__free(probes->ring);
	bpf_object__close(probes->object);
	probes->hook_count = 0;
	probes->hooks = NULL;
	probes->ring = NULL;
	probes->object = NULL;
}

/* By sessions if that can be, as nobody preempts them; else it is noted why not. */
static int load_best(struct probes *probes, const struct functions *functions,
		     const struct watch_settings *settings)
{
	int error;

	if (!functions->sessions)
		return load(probes, functions, settings, false);
	error = load(probes, functions, settings, true);
	if (!error)
		return 0;
	snprintf(probes->why_not, sizeof(probes->why_not), "%s%s%.200s",
		 strerror(-error), *complaint ? "; " : "", complaint);
	/* What fails now is the last that can be. */
	*complaint = '\0';
	unload(probes);
	return load(probes, functions, settings, false);
}

struct probes *probes_open(struct watch_settings *settings, unsigned int room,
			   probes_sink sink, void *context, char *problem,
			   size_t size)
{
	struct probes *probes = calloc(1, sizeof(*probes));
	struct functions functions;
	struct btf *btf;
	int error;

	if (!probes)
		return give_up(NULL, problem, size, "cannot begin", ENOMEM);
	libbpf_set_print(keep_complaint);
	probes->room = room;
	probes->sink = sink;
	probes->context = context;
	btf = kernel_types(&functions, problem, size);
	if (!btf) {
		probes_close(probes);
		return NULL;
	}
	settings->law.owner_readable = has_owner(btf);
	error = load_best(probes, &functions, settings);
	btf__free(btf);
	if (error)
		return give_up(probes, problem, size, "the kernel does not "
			       "take the programs", -error);
	return probes;
}

void probes_close(struct probes *probes)
{
	if (!probes)
		return;
	unload(probes);
	free(probes);
}

const char *probes_way(const struct probes *probes)
{
	return probes->sessions ? "sessions of probes" : "trampolines";
}

const char *probes_why_not(const struct probes *probes)
{
	return *probes->why_not ? probes->why_not : NULL;
}

const char *probes_unseen(const struct probes *probes, size_t index)
{
	return index < probes->unseen_count ? probes->unseen[index] : NULL;
}

int probes_fd(const struct probes *probes)
{
	return ring_buffer__epoll_fd(probes->ring);
}

void probes_poll(struct probes *probes)
{
	ring_buffer__consume(probes->ring);
}

/* The sum over all processors of a value that is nothing but __u64. */
static void add_up(int fd, __u32 key, __u64 *sum, size_t size)
{
	int processors = libbpf_num_possible_cpus();
	size_t count = size / sizeof(*sum);
	__u64 *values = calloc(processors, size);

	memset(sum, 0, size);
	if (values && !bpf_map_lookup_elem(fd, &key, values))
		for (int cpu = 0; cpu < processors; cpu++)
			for (size_t i = 0; i < count; i++)
				sum[i] += values[cpu * count + i];
	free(values);
}

void probes_count(struct probes *probes, struct probes_count *counts)
{
	struct watch_pair_key *previous = NULL, key;
	int fd = map_fd(probes, "pairs");
	struct watch_pair pair;

	memset(counts, 0, WATCH_PAIRS * sizeof(*counts));
	for (; !bpf_map_get_next_key(fd, previous, &key); previous = &key) {
		if (bpf_map_lookup_elem(fd, &key, &pair) || !pair.number)
			continue;
		counts[pair.number].known = true;
		counts[pair.number].pair = pair;
	}
	fd = map_fd(probes, "tallies");
	for (__u32 i = 0; i < WATCH_PAIRS; i++)
		add_up(fd, i, (__u64 *)&counts[i].tally,
		       sizeof(counts[i].tally));
}

void probes_loss(struct probes *probes, struct probes_loss *loss)
{
	add_up(map_fd(probes, "losses"), 0, (__u64 *)&loss->lost,
	       sizeof(loss->lost));
	loss->missed = 0;
	for (size_t i = 0; i < probes->hook_count; i++)
		loss->missed += hook_missed(probes->hooks[i].program,
					    probes->hooks[i].fd);
}

void probes_attachments(struct probes *probes,
			void (*visit)(void *context, __u64 key,
				      const struct watch_attachment *attachment),
			void *context)
{
	int fd = map_fd(probes, "attachments");
	struct watch_attachment attachment;
	__u64 *previous = NULL, key;

	for (; !bpf_map_get_next_key(fd, previous, &key); previous = &key)
		if (!bpf_map_lookup_elem(fd, &key, &attachment))
			visit(context, key, &attachment);
}

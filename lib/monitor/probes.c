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
#include "monitor/kprobe.h"
#include "monitor/types.h"

/* Of each attachment that there is room for. */
#define BUFFERS_EACH		4
#define EVENT_BYTES_EACH	64

struct hook {
	const struct bpf_program *program;
	int fd;
};

struct probes {
	unsigned int room;
	struct bpf_object *object;
	struct ring_buffer *ring;
	enum hook_way way;
	char why_not[HOOK_WAYS][300];
	size_t why_not_count;
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
	/* Why the way that suits most kernels was none says more. */
	if (probes && probes->why_not_count)
		snprintf(problem + strlen(problem), size - strlen(problem),
			 " (not by %s)", probes->why_not[0]);
	probes_close(probes);
	return NULL;
}

static bool is_wanted(const struct bpf_program *program,
		      const struct watch_law *law)
{
	const char *name = bpf_program__name(program);

	/* By kprobes it begins with one of its own. */
	if (!strncmp(name, "unmap_left", strlen("unmap_left")))
		return law->map_pins;
	if (!strcmp(name, "unlock_entered"))
		return law->owner_readable;
	if (!strcmp(name, "vmap_entered") || !strcmp(name, "vunmap_entered"))
		return law->vmap_locked;
	return true;
}

/* Several programs may be for one function. */
static void add_unseen(struct probes *probes, const char *name)
{
	for (size_t i = 0; i < probes->unseen_count; i++)
		if (!strcmp(probes->unseen[i], name))
			return;
	if (probes->unseen_count < PROBES_UNSEEN_MAX)
		probes->unseen[probes->unseen_count++] = name;
}

static void choose_programs(struct probes *probes,
			    const struct types *types,
			    const struct watch_law *law)
{
	struct bpf_program *program;

	probes->unseen_count = 0;
	bpf_object__for_each_program(program, probes->object) {
		const char *name = hook_function(program);
		bool there = name && types_has_function(types, name);

		if (!name)
			continue;
		if (!there || !is_wanted(program, law))
			bpf_program__set_autoload(program, false);
		if (!there && !types_has_other_name(types, name))
			add_unseen(probes, name);
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
		/* Only of kprobes. */
		{ "kept_calls", probes->room },
	};
	int error = 0;

	for (size_t i = 0; !error && i < sizeof(rooms) / sizeof(rooms[0]); i++) {
		struct bpf_map *map = bpf_object__find_map_by_name(
			probes->object, rooms[i].map);

		if (map)
			error = bpf_map__set_max_entries(map, rooms[i].entries);
	}
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
		hook.fd = hook_attach(program, probes->hook_count);
		if (hook.fd < 0)
			return hook.fd;
		probes->hooks[probes->hook_count++] = hook;
	}
	return 0;
}

/*
 * Tells the programs who is to be followed: whoever is below this process. And asks
 * whether the types are of this kernel, for which they must be as long as it runs.
 */
static int note_monitor(struct probes *probes)
{
	LIBBPF_OPTS(bpf_test_run_opts, options);
	struct bpf_program *program =
		bpf_object__find_program_by_name(probes->object, "note_monitor");
	int error = bpf_prog_test_run_opts(bpf_program__fd(program), &options);

	if (error || options.retval)
		return error;
	snprintf(complaint, sizeof(complaint), "the types are those of another "
		 "kernel");
	return -EINVAL;
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

static int load(struct probes *probes, const struct types *types,
		const struct watch_settings *settings, enum hook_way way)
{
	int error;

	probes->way = way;
	probes->object = hook_open(way, types->file);
	if (!probes->object)
		return -errno;
	choose_programs(probes, types, &settings->law);
	error = set_room(probes) ?: set_settings(probes, settings);
	if (!error)
		error = bpf_object__load(probes->object);
	if (!error)
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
	kprobe_remove_all();
	ring_buffer__free(probes->ring);
	bpf_object__close(probes->object);
	probes->hook_count = 0;
	probes->hooks = NULL;
	probes->ring = NULL;
	probes->object = NULL;
}

static const struct {
	const char *name;
	const char *better;	/* at what, than the ways behind it */
} ways[HOOK_WAYS] = {
	[HOOK_SESSIONS] = { "sessions of probes", "miss less" },
	[HOOK_TRAMPOLINES] = { "trampolines", "cost less" },
	[HOOK_KPROBES] = { "kprobes", "" },
};

static bool has_way(const struct types *types, enum hook_way way)
{
	if (way == HOOK_SESSIONS)
		return types->sessions;
	return way == HOOK_KPROBES || !types->file;
}

static void note_why_not(struct probes *probes, enum hook_way way,
			 const char *what, const char *more)
{
	snprintf(probes->why_not[probes->why_not_count++],
		 sizeof(probes->why_not[0]), "%s, which %s: %s%s%.180s",
		 ways[way].name, ways[way].better, what, *more ? "; " : "",
		 more);
	*complaint = '\0';
}

static int load_kprobes(struct probes *probes, const struct types *types,
			const struct watch_settings *settings)
{
	const char *obstacle = kprobe_obstacle();

	if (!obstacle)
		return load(probes, types, settings, HOOK_KPROBES);
	snprintf(complaint, sizeof(complaint), "%s", obstacle);
	return -ENOENT;
}

/* The first way that can be; of the others it is noted why not. */
static int load_best(struct probes *probes, const struct types *types,
		     const struct watch_settings *settings)
{
	int error = -ENOTSUP;

	for (int way = 0; way < HOOK_WAYS; way++) {
		if (!has_way(types, way))
			continue;
		if (way == HOOK_KPROBES)
			return load_kprobes(probes, types, settings);
		error = load(probes, types, settings, way);
		if (!error)
			break;
		note_why_not(probes, way, strerror(-error), complaint);
		unload(probes);
	}
	return error;
}

struct probes *probes_open(struct watch_settings *settings, const char *btf,
			   unsigned int room, probes_sink sink, void *context,
			   char *problem, size_t size)
{
	struct probes *probes = calloc(1, sizeof(*probes));
	struct types types;
	int error;

	if (!probes)
		return give_up(NULL, problem, size, "cannot begin", ENOMEM);
	libbpf_set_print(keep_complaint);
	probes->room = room;
	probes->sink = sink;
	probes->context = context;
	if (types_open(&types, btf, problem, size)) {
		probes_close(probes);
		return NULL;
	}
	settings->law.owner_readable = types_have_owner(&types);
	error = load_best(probes, &types, settings);
	if (!error && types.file)
		note_why_not(probes, HOOK_TRAMPOLINES, "the types are from a "
			     "file", types.file);
	types_close(&types);
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
	return ways[probes->way].name;
}

const char *probes_why_not(const struct probes *probes, size_t index)
{
	return index < probes->why_not_count ? probes->why_not[index] : NULL;
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

/* The number of a function; WATCH_FN_COUNT: it has none, and all may rest on it. */
static enum watch_function function_of(const struct bpf_program *program)
{
	static const char *const names[] = {
		[WATCH_FN_EXPORT] = "dma_buf_export",
		[WATCH_FN_RELEASE] = "dma_buf_release",
		[WATCH_FN_PUT] = "dma_buf_put",
		[WATCH_FN_ATTACH] = "dma_buf_dynamic_attach",
		[WATCH_FN_DETACH] = "dma_buf_detach",
		[WATCH_FN_PIN] = "dma_buf_pin",
		[WATCH_FN_UNPIN] = "dma_buf_unpin",
		[WATCH_FN_MAP] = "dma_buf_map_attachment",
		[WATCH_FN_UNMAP] = "dma_buf_unmap_attachment",
		[WATCH_FN_MAP_UNLOCKED] = "dma_buf_map_attachment_unlocked",
		[WATCH_FN_UNMAP_UNLOCKED] = "dma_buf_unmap_attachment_unlocked",
		[WATCH_FN_NOTIFY] = "dma_buf_invalidate_mappings",
		[WATCH_FN_VMAP] = "dma_buf_vmap",
		[WATCH_FN_VUNMAP] = "dma_buf_vunmap",
		[WATCH_FN_BEGIN_CPU] = "dma_buf_begin_cpu_access",
		[WATCH_FN_END_CPU] = "dma_buf_end_cpu_access",
		[WATCH_FN_MMAP] = "dma_buf_mmap",
		[WATCH_FN_UNLOCK] = "ww_mutex_unlock",
		[WATCH_FN_MOVE] = "dma_buf_ioctl",
	};
	const char *function = hook_function(program);

	if (!strcmp(function, "dma_buf_move_notify"))
		return WATCH_FN_NOTIFY;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i] && !strcmp(function, names[i]))
			return i;
	return WATCH_FN_COUNT;
}

static unsigned long long missed_by(const struct probes *probes, size_t number)
{
	const struct hook *hook = &probes->hooks[number];

	return probes->way == HOOK_KPROBES ? kprobe_missed(number) :
	       hook_missed(hook->program, hook->fd);
}

void probes_loss(struct probes *probes, struct probes_loss *loss)
{
	memset(loss, 0, sizeof(*loss));
	add_up(map_fd(probes, "losses"), 0, (__u64 *)&loss->lost,
	       sizeof(loss->lost));
	if (probes->way == HOOK_KPROBES)
		kprobe_look(map_fd(probes, "runs"));
	for (size_t i = 0; i < probes->hook_count; i++) {
		enum watch_function function =
			function_of(probes->hooks[i].program);
		unsigned long long missed = missed_by(probes, i);

		if (function < WATCH_FN_COUNT)
			loss->missed[function] += missed;
		else
			loss->missed_others += missed;
	}
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

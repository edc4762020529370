/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the programs remember: attachments, buffers, pairs of drivers, counts;
 * and how an entry comes to be.
 */
#ifndef CTS_MONITOR_STATE_H
#define CTS_MONITOR_STATE_H

const volatile struct watch_settings settings SEC(".rodata.settings");

/* What new entries are made of: they are too big for the stack. */
const volatile struct {
	struct watch_attachment attachment;
	struct watch_pair pair;
} blank SEC(".rodata.blank");

__u32 pairs_known;

/* Of which pairs it is known who called attach. */
bool caller_known[WATCH_PAIRS];

/* How many notices are on their way, and of how many the lock is watched. */
__u32 notifying;
__u32 notices_open;

/* How many programs are having an exporter move something. */
__u32 asking;

/* The monitor's process; 0 until it has told. */
__u32 monitor_tgid;

/* How many of these and of buffers there are, and of events, is set at the start. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, __u64);
	__type(value, struct watch_attachment);
} attachments SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, __u64);
	__type(value, struct watch_buffer);
} buffers SEC(".maps");

/* A notice on its way, by its reservation: few at any time, mostly none. */
struct notice {
	__u64 task;
	__u64 buffer;
	__u32 pair;
	__u32 dropped;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1 << 10);
	__type(key, __u64);
	__type(value, struct notice);
} notices SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, WATCH_PAIRS);
	__type(key, struct watch_pair_key);
	__type(value, struct watch_pair);
} pairs SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, WATCH_PAIRS);
	__type(key, __u32);
	__type(value, struct watch_tally);
} tallies SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct watch_lost);
} losses SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
} events SEC(".maps");

/* A call, with what it is about. Pointers of the kernel are numbers here. */
struct sight {
	struct watch_call call;
	__u64 attachment;
	__u64 buffer;
	__u64 exporter;		/* operations of the buffer */
	__u64 importer;		/* what the other end is known by */
	__u64 owner;
	__u32 function;
	__u32 pair;		/* set by who judges */
};

#define KERNEL(type, number)	((const struct type *)(number))

#define LOST(what) do {							\
	__u32 zero = 0;							\
	struct watch_lost *lost = bpf_map_lookup_elem(&losses, &zero);	\
	if (lost)							\
		__sync_fetch_and_add(&lost->what, 1);			\
} while (0)

static __always_inline bool is_error(__u64 pointer)
{
	return pointer >= (__u64)-4095;
}

/* The compiler must not take the values that it sees for those that will be. */
static __always_inline const struct watch_law *law(void)
{
	const void *there = (const void *)&settings.law;

	__asm__ volatile("" : "+r"(there));
	return there;
}

static __always_inline struct watch_attachment *attachment_of(__u64 key)
{
	return bpf_map_lookup_elem(&attachments, &key);
}

static __always_inline struct watch_buffer *buffer_of(__u64 key)
{
	return bpf_map_lookup_elem(&buffers, &key);
}

static __always_inline struct watch_tally *tally_of(__u32 pair)
{
	return bpf_map_lookup_elem(&tallies, &pair);
}

/* Nobody forks deeper below the monitor. */
#define DEPTH_MAX	32

/* A way up from the caller, parent by parent. */
struct ascent {
	__u64 task;
	bool found;
};

static long ascend(__u32 index, void *context)
{
	struct ascent *ascent = context;
	const struct task_struct *task = KERNEL(task_struct, ascent->task);
	__u32 tgid = BPF_CORE_READ(task, tgid);

	ascent->found = tgid && tgid == monitor_tgid;
	ascent->task = (__u64)BPF_CORE_READ(task, real_parent);
	/* It ends at what descends from init, or is of the kernel. */
	return ascent->found || !tgid;
}

/* An orphan is below it as well: the monitor is the parent of those. */
__noinline bool is_below_monitor(void)
{
	struct ascent ascent = { .task = bpf_get_current_task() };

	bpf_loop(DEPTH_MAX, ascend, &ascent, 0);
	return ascent.found;
}

static __always_inline bool follows_all(void)
{
	return !settings.only_below && !settings.only_tgid;
}

/* Whether it is to be followed what the caller exports and attaches. */
static __always_inline bool is_wanted(void)
{
	if (settings.only_below)
		return is_below_monitor();
	return !settings.only_tgid ||
	       settings.only_tgid == bpf_get_current_pid_tgid() >> 32;
}

/* A new pair gets the next number, as long as there are any. */
static __always_inline struct watch_pair *
add_pair(const struct watch_pair_key *key)
{
	struct watch_pair *pair;
	__u32 number;

	if (bpf_map_update_elem(&pairs, key, (const void *)&blank.pair,
				BPF_NOEXIST)) {
		/* Another processor was first, or there is no room. */
		if (!bpf_map_lookup_elem(&pairs, key))
			LOST(pairs);
		return NULL;
	}
	pair = bpf_map_lookup_elem(&pairs, key);
	if (!pair)
		return NULL;
	number = __sync_fetch_and_add(&pairs_known, 1) + 1;
	pair->number = number < WATCH_PAIRS ? number : 0;
	return pair;
}

static __always_inline void name_exporter(struct watch_pair *pair, __u64 buffer)
{
	const struct dma_buf *dmabuf = KERNEL(dma_buf, buffer);
	const struct module *owner = BPF_CORE_READ(dmabuf, owner);

	bpf_probe_read_kernel_str(pair->exporter, sizeof(pair->exporter),
				  BPF_CORE_READ(dmabuf, exp_name));
	if (owner)
		bpf_probe_read_kernel_str(pair->exporter_module,
					  sizeof(pair->exporter_module),
					  &owner->name);
}

static __always_inline void name_importer(struct watch_pair *pair,
					  const struct dma_buf_attachment *attach)
{
	const struct device *dev = BPF_CORE_READ(attach, dev);
	const struct device_driver *driver = BPF_CORE_READ(dev, driver);

	pair->importer_ops = (__u64)BPF_CORE_READ(attach, importer_ops);
	bpf_probe_read_kernel_str(pair->device, sizeof(pair->device),
				  BPF_CORE_READ(dev, kobj.name));
	if (driver)
		bpf_probe_read_kernel_str(pair->driver, sizeof(pair->driver),
					  BPF_CORE_READ(driver, name));
}

/* The number of an exporter with no importer: of calls that are about it. */
__noinline __u32 exporter_number(__u64 buffer, __u64 exporter)
{
	struct watch_pair_key key = { .exporter = exporter };
	struct watch_pair *pair = bpf_map_lookup_elem(&pairs, &key);

	if (pair)
		return pair->number;
	pair = add_pair(&key);
	if (!pair)
		return 0;
	name_exporter(pair, buffer);
	return pair->number;
}

static __always_inline __u32 pair_number(const struct sight *sight)
{
	struct watch_pair_key key = {
		.exporter = sight->exporter,
		.importer = sight->importer,
	};
	struct watch_pair *pair = bpf_map_lookup_elem(&pairs, &key);

	if (pair)
		return pair->number;
	pair = add_pair(&key);
	if (!pair)
		return 0;
	name_exporter(pair, sight->buffer);
	name_importer(pair, KERNEL(dma_buf_attachment, sight->attachment));
	return pair->number;
}

/*
 * The number of a pair whose exporter has this buffer. It is mostly the one that
 * was asked for last, which the buffer remembers: in one word, as others may be at
 * it. What shifting takes of an address is the same in all of the kernel's.
 */
static __always_inline __u32 pair_on(struct watch_buffer *buffer,
				     const struct sight *sight)
{
	__u64 last = buffer->last_pair;
	__u32 number;

	if (last / WATCH_PAIRS == (sight->importer * WATCH_PAIRS) / WATCH_PAIRS)
		return last % WATCH_PAIRS;
	number = pair_number(sight);
	buffer->last_pair = sight->importer * WATCH_PAIRS + number;
	return number;
}

/* Follows an attachment of sight->pair from now on. */
__noinline int follow_new(struct sight *sight, __u32 more_facts)
{
	struct watch_attachment *attachment;
	__u64 key;

	if (!sight)
		return 0;
	key = sight->attachment;
	if (bpf_map_update_elem(&attachments, &key,
				(const void *)&blank.attachment, BPF_ANY)) {
		LOST(attachments);
		return 0;
	}
	attachment = attachment_of(key);
	if (!attachment)
		return 0;
	attachment->buffer = sight->buffer;
	attachment->size = sight->call.size;
	attachment->resv = sight->call.resv;
	attachment->pair = sight->pair;
	attachment->tgid = bpf_get_current_pid_tgid() >> 32;
	attachment->facts = sight->call.facts | more_facts;
	bpf_get_current_comm(attachment->comm, sizeof(attachment->comm));
	return 0;
}

/* The attachment that a call is on; one older than the monitor is taken in. */
static __always_inline struct watch_attachment *followed(struct sight *sight)
{
	struct watch_attachment *attachment = attachment_of(sight->attachment);

	if (!attachment && follows_all()) {
		sight->pair = pair_number(sight);
		follow_new(sight, WATCH_ADOPTED);
		attachment = attachment_of(sight->attachment);
	}
	if (attachment)
		sight->pair = attachment->pair;
	return attachment;
}

static __always_inline struct watch_buffer *seen(const struct sight *sight)
{
	struct watch_buffer *known = buffer_of(sight->buffer);
	struct watch_buffer buffer = {
		.size = sight->call.size,
		.resv = sight->call.resv,
		.pair = sight->pair,
	};
	/* On its own: 6.1 takes no key from within what a function is given. */
	__u64 key = sight->buffer;

	if (known)
		return known;
	/* Another processor was first, or there is no room. */
	if (bpf_map_update_elem(&buffers, &key, &buffer, BPF_NOEXIST) &&
	    !buffer_of(sight->buffer))
		LOST(buffers);
	return buffer_of(sight->buffer);
}

/*
 * The buffer that is attached to, known from now on; NULL: not wanted. A driver may
 * attach in a worker what another exported.
 */
static __always_inline struct watch_buffer *attached_to(struct sight *sight)
{
	struct watch_buffer *buffer = buffer_of(sight->buffer);

	if (!(settings.only_below && buffer) && !is_wanted())
		return NULL;
	if (buffer)
		return buffer;
	sight->pair = exporter_number(sight->buffer, sight->exporter);
	return seen(sight);
}

/* The tally of a call that is about a buffer; NULL: it is not to be judged. */
static __always_inline struct watch_tally *exporter_tally(struct sight *sight)
{
	const struct watch_buffer *buffer = buffer_of(sight->buffer);

	if (!buffer && !is_wanted())
		return NULL;
	sight->pair = buffer ? buffer->pair :
		      exporter_number(sight->buffer, sight->exporter);
	return tally_of(sight->pair);
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was passed to the calls that have yet to return, for kprobes: at the return
 * nothing is left of it. And how often each program ran, since no older kernel
 * tells for how many hits of a probe it did not run the program.
 */
#ifndef CTS_MONITOR_KEPT_H
#define CTS_MONITOR_KEPT_H

/* Of calls on their way: as many as attachments, see state.h. */
struct kept_key {
	__u64 place;	/* on the stack, where the return address is */
	__u64 call;
};

struct kept_call {
	__u64 first;
	__u64 second;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, struct kept_key);
	__type(value, struct kept_call);
} kept_calls SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, WATCH_PROGRAMS);
	__type(key, __u32);
	__type(value, __u64);
} runs SEC(".maps");

/* The monitor gives each program its number as cookie. */
static __always_inline void count_run(void *ctx)
{
	__u32 number = bpf_get_attach_cookie(ctx);
	__u64 *count = bpf_map_lookup_elem(&runs, &number);

	if (count)
		(*count)++;
}

/* A return takes the address off the stack on x86, and leaves it elsewhere. */
#ifdef __TARGET_ARCH_x86
#define RETURN_BYTES	8
#else
#define RETURN_BYTES	0
#endif

static __always_inline void keep_call(struct pt_regs *ctx, __u32 call)
{
	struct kept_key key = { .place = PT_REGS_SP(ctx), .call = call };
	struct kept_call kept = {
		.first = PT_REGS_PARM1(ctx),
		.second = PT_REGS_PARM2(ctx),
	};

	if (bpf_map_update_elem(&kept_calls, &key, &kept, BPF_ANY))
		LOST(returns);
}

/* Of a call that is older than the monitor nothing was kept. */
static __always_inline bool take_call(struct pt_regs *ctx, __u32 call,
				      struct kept_call *kept)
{
	struct kept_key key = {
		.place = PT_REGS_SP(ctx) - RETURN_BYTES,
		.call = call,
	};
	const struct kept_call *there = bpf_map_lookup_elem(&kept_calls, &key);

	if (!there) {
		LOST(returns);
		return false;
	}
	*kept = *there;
	bpf_map_delete_elem(&kept_calls, &key);
	return true;
}

#endif

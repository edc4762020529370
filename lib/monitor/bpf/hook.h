/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How programs come to run when a function is entered or left, in three ways.
 *
 * By trampolines, which cost least. While such a program runs its task may be
 * preempted; whoever then makes the same call on that processor is not seen
 * (kernel/bpf/trampoline.c: __bpf_prog_enter_recur()). So they lose calls where
 * the kernel preempts itself.
 *
 * By sessions of probes (MONITOR_SESSIONS), which run with preemption off
 * (kernel/trace/fprobe.c): calls of others are not lost to them, unless a task is
 * preempted within a bpf(2) call. A program is told of the entry and of the return
 * of one call, and may keep 8 bytes from one to the other. A pointer is a number
 * there until bpf_rdonly_cast() says what it points to.
 *
 * By kprobes (MONITOR_KPROBES), which cost most and ask nothing of the kernel's
 * types: these may come from a file. What was passed to a call is kept in a map
 * until it returns. Memory of the kernel is read by a function, which tells of no
 * mistake, and not by its pointers.
 *
 * What a program does is a function of its own for all, which is given the
 * arguments as numbers:
 *	on_NAME_entered(context, first, second, third)
 *	on_NAME_left(context, first, second, result); of second its last 3 bits
 */
#ifndef CTS_MONITOR_HOOK_H
#define CTS_MONITOR_HOOK_H

/* What of a second argument fits beside the first: objects lie at multiples of 8. */
#define KEPT_BITS	7ULL

#ifdef MONITOR_KPROBES
#define READ(pointer, member)	BPF_CORE_READ(pointer, member)
#else
#define READ(pointer, member)	((pointer)->member)
#endif

#ifdef MONITOR_SESSIONS

#include <linux/ptrace.h>

extern void *bpf_rdonly_cast(const void *obj, __u32 btf_id) __ksym __weak;
extern __u64 *bpf_session_cookie(void *ctx) __ksym __weak;
extern _Bool bpf_session_is_return(void *ctx) __ksym __weak;

/* A number as a pointer whose members can be read. */
#define AS(type, number)						\
	((const struct type *)bpf_rdonly_cast((const void *)(number),	\
		bpf_core_type_id_kernel(struct type)))

#define ENTERED(name, function)						\
SEC("kprobe.multi/" function)						\
int name##_entered(struct pt_regs *ctx)					\
{									\
	on_##name##_entered(ctx, PT_REGS_PARM1(ctx), PT_REGS_PARM2(ctx),\
			    PT_REGS_PARM3(ctx));			\
	return 0;							\
}

#define SESSION(name, function, at_entry)				\
SEC("kprobe.session/" function)						\
int name(struct pt_regs *ctx)						\
{									\
	__u64 *kept = bpf_session_cookie(ctx);				\
									\
	if (bpf_session_is_return(ctx)) {				\
		on_##name(ctx, *kept & ~KEPT_BITS, *kept & KEPT_BITS,	\
			  PT_REGS_RC(ctx));				\
		return 0;						\
	}								\
	*kept = PT_REGS_PARM1(ctx) | (PT_REGS_PARM2(ctx) & KEPT_BITS);	\
	at_entry;							\
	return 0;							\
}

#define LEFT(name, function, arguments)					\
	SESSION(name##_left, function, )

#define ENTERED_AND_LEFT(name, function, arguments)			\
	SESSION(name##_left, function,					\
		on_##name##_entered(ctx, PT_REGS_PARM1(ctx),		\
				    PT_REGS_PARM2(ctx), PT_REGS_PARM3(ctx)))

#elif defined(MONITOR_KPROBES)

#include <linux/ptrace.h>
#include "kept.h"

#define AS(type, number)	((const struct type *)(number))

#define ENTERED(name, function)						\
SEC("kprobe/" function)							\
int name##_entered(struct pt_regs *ctx)					\
{									\
	count_run(ctx);							\
	on_##name##_entered(ctx, PT_REGS_PARM1(ctx), PT_REGS_PARM2(ctx),\
			    PT_REGS_PARM3(ctx));			\
	return 0;							\
}

#define CALL(name, function, at_entry)					\
enum { CALL_##name = __COUNTER__ };					\
									\
SEC("kprobe/" function)							\
int name##_begun(struct pt_regs *ctx)					\
{									\
	count_run(ctx);							\
	keep_call(ctx, CALL_##name);					\
	at_entry;							\
	return 0;							\
}									\
									\
SEC("kretprobe/" function)						\
int name(struct pt_regs *ctx)						\
{									\
	struct kept_call call;						\
									\
	count_run(ctx);							\
	if (take_call(ctx, CALL_##name, &call))				\
		on_##name(ctx, call.first, call.second & KEPT_BITS,	\
			  PT_REGS_RC(ctx));				\
	return 0;							\
}

#define LEFT(name, function, arguments)					\
	CALL(name##_left, function, )

#define ENTERED_AND_LEFT(name, function, arguments)			\
	CALL(name##_left, function,					\
	     on_##name##_entered(ctx, PT_REGS_PARM1(ctx),		\
				 PT_REGS_PARM2(ctx), PT_REGS_PARM3(ctx)))

#else

#define AS(type, number)	((const struct type *)(number))

#define ENTERED(name, function)						\
SEC("fentry/" function)							\
int name##_entered(__u64 *ctx)						\
{									\
	return on_##name##_entered(ctx, ctx[0], ctx[1], ctx[2]);	\
}

/* The result comes behind the arguments, of which there are so many. */
#define LEFT(name, function, arguments)					\
SEC("fexit/" function)							\
int name##_left(__u64 *ctx)						\
{									\
	return on_##name##_left(ctx, ctx[0], ctx[1], ctx[arguments]);	\
}

#define ENTERED_AND_LEFT(name, function, arguments)			\
	ENTERED(name, function)						\
	LEFT(name, function, arguments)

#endif

/* The first lines of what a program does. */
#define ON(name)							\
static __always_inline int on_##name(void *ctx, __u64 first, __u64 second,\
				     __u64 third)

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Mutants of code that is not ours: functions of the kernel are altered while
 * it runs. A fault is some rows, each of which alters one function by a probe at
 * its beginning and one where it returns.
 *
 * Both run where nothing may sleep.
 */
#ifndef PEER_ALTER_H
#define PEER_ALTER_H

#include <linux/types.h>

#define FAULT(name, clauses, effect)	FAULT_##name,
enum core_fault {
	FAULT_none,
#include "core/faults.def"
};
#undef FAULT

#define ALTER_ARGUMENTS	6
#define ALTER_NOTES	4

/* One call of an altered function. */
struct altered_call {
	unsigned long argument[ALTER_ARGUMENTS];
	unsigned long note[ALTER_NOTES];	/* from enter() for leave() */
	unsigned long result;
};

/**
 * struct alteration - what becomes of one function under one fault
 * @fault: under which
 * @function: its symbol, in the kernel or a module that is loaded
 * @skip: it is not carried out at all, and returns @to
 * @from, @to: the result that is replaced, and by what; equal: none is
 * @enter: may change arguments
 * @leave: may change the result
 */
struct alteration {
	enum core_fault fault;
	const char *function;
	bool skip;
	int from;
	int to;
	void (*enter)(struct altered_call *call);
	void (*leave)(struct altered_call *call);
};

#define ALTER(fault_, function_, enter_, leave_) \
	{ \
		.fault = FAULT_##fault_, .function = function_, \
		.enter = enter_, .leave = leave_, \
	}

#define SKIP_SAYING(fault_, function_, to_) \
	{ \
		.fault = FAULT_##fault_, .function = function_, .skip = true, \
		.to = to_, \
	}

/* The caller is none the wiser: it must not look at what is returned. */
#define SKIP(fault_, function_)	SKIP_SAYING(fault_, function_, 0)

/* An error, or 0, in the place of another. */
#define REPLACE(fault_, function_, from_, to_) \
	{ \
		.fault = FAULT_##fault_, .function = function_, \
		.from = from_, .to = to_, \
	}

struct alteration_list {
	const struct alteration *rows;
	size_t count;
};

/**
 * peer_fault_switched - put a fault in force in the place of the one before
 * @fault: enum core_fault
 *
 * Return: 0 or a negative errno; then no fault is in force.
 */
int peer_fault_switched(unsigned int fault);

extern const struct alteration_list error_alterations;
extern const struct alteration_list buffer_alterations;
extern const struct alteration_list fence_alterations;
extern const struct alteration_list software_alterations;
extern const struct alteration_list vfio_alterations;
extern const struct alteration_list iommufd_alterations;
extern const struct alteration_list rdma_alterations;
extern const struct alteration_list rdma_export_alterations;
extern const struct alteration_list net_alterations;

#endif

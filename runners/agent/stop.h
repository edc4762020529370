/* SPDX-License-Identifier: GPL-2.0-only */
/* Why a run must stop before its end. */
#ifndef CTS_AGENT_STOP_H
#define CTS_AGENT_STOP_H

#include <stdbool.h>

enum stop_reason {
	STOP_NOT,
	STOP_SIGNAL,		/* the user, or whoever started this */
	STOP_READER,		/* nobody reads the stream any more */
	STOP_KERNEL,		/* an oops, or a new taint of that weight */
	STOP_NIC,		/* an emulated NIC is dead */
};

/**
 * stop_begin - watch for signals and for the kernel's state from now on
 * @warnings_stop: a kernel warning is reason enough
 */
void stop_begin(bool warnings_stop);

/* Why to stop now; STOP_NOT to go on. */
enum stop_reason stop_reason(void);

/*
 * Whether there is a reason, asked again and again: a taint that the kernel's log
 * does not tell of may be noticed some moments later than by stop_reason().
 */
bool stop_is_due(void);

/* The reason for people, "kernel oops: BUG: ...". */
const char *stop_text(void);

#endif

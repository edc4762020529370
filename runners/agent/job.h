/* SPDX-License-Identifier: GPL-2.0-only */
/* One job: a conformance program on a pair, perhaps with a fault switched on. */
#ifndef CTS_AGENT_JOB_H
#define CTS_AGENT_JOB_H

#include <jansson.h>
#include <stdbool.h>

#include "agent/options.h"
#include "agent/probe.h"

enum job_result {
	JOB_DONE,
	JOB_STOPPED,		/* see stop_reason() */
	JOB_STUCK,		/* its processes cannot be ended */
};

/**
 * job_run - run a job until each of its cases was tried
 * @job: entry of the schedule
 * @options: where programs are, how long they may be silent
 * @probe: what was found, for the program
 * @last: no other job of its pair follows
 *
 * A program that a case has brought down is run again without the cases that
 * were run already.
 */
enum job_result job_run(const json_t *job, const struct options *options,
			const struct probe *probe, bool last);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* The monitor beside a program: a case more, of what tracing sees. */
#ifndef CTS_AGENT_MONITOR_H
#define CTS_AGENT_MONITOR_H

#include <jansson.h>
#include <stdbool.h>

#include "agent/options.h"
#include "agent/probe.h"

/**
 * monitor_find - see whether programs can be monitored here, and note why not
 * @options: where the monitor is, and for which pairs it is wanted
 *
 * Return: 0, or the status to exit with after an error record: what was asked
 * for cannot be had.
 */
int monitor_find(const struct options *options);

/**
 * monitor_wants - whether a job is to be monitored
 * @job: the job
 * @options: for which pairs
 * @probe: tells which ends are the suite's own peers
 */
bool monitor_wants(const json_t *job, const struct options *options,
		   const struct probe *probe);

/**
 * monitor_path - the monitor's program; valid after monitor_find()
 */
const char *monitor_path(void);

#endif

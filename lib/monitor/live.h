/* SPDX-License-Identifier: GPL-2.0-only */
/* The live view: a line for each call, or for what it broke. */
#ifndef CTS_LIVE_H
#define CTS_LIVE_H

#include <stdio.h>

#include "monitor/probes.h"

/**
 * live_event - write a line for an event
 * @probes: tell the names of pairs
 * @event: the event
 * @out: where to
 */
void live_event(struct probes *probes, const struct watch_event *event,
		FILE *out);

#endif

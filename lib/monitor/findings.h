/* SPDX-License-Identifier: GPL-2.0-only */
/* What was broken, with who did it and how it came to it. */
#ifndef CTS_FINDINGS_H
#define CTS_FINDINGS_H

#include "monitor/outcome.h"
#include "monitor/watch.h"

/* Of one check; more are counted alone. */
#define FINDINGS_EACH	8

/**
 * struct findings - the first findings of each check
 * @events: by check
 * @counts: how many of them
 */
struct findings {
	struct watch_event events[WATCH_COUNT][FINDINGS_EACH];
	unsigned int counts[WATCH_COUNT];
};

/**
 * findings_add - keep an event for each check that it broke
 * @findings: where to
 * @event: the event
 */
void findings_add(struct findings *findings, const struct watch_event *event);

/**
 * findings_function - the name of a call in records
 * @function: enum watch_function
 */
const char *findings_function(unsigned int function);

/**
 * findings_chain - the calls that led to an event
 * @event: the event
 * @index: 0 for the innermost that is worth a line
 * @name: room for SYMBOL_SIZE bytes
 *
 * Return: false if there are no more.
 */
bool findings_chain(const struct watch_event *event, unsigned int index,
		    char *name);

#endif

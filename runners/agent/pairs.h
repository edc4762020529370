/* SPDX-License-Identifier: GPL-2.0-only */
/* The pairs that can be made of what was chosen, in the order of the schedule. */
#ifndef CTS_AGENT_PAIRS_H
#define CTS_AGENT_PAIRS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "stream/plan.h"

struct pair {
	struct plan_pair ends;
	const char *exporter;	/* selectors */
	const char *importer;
	char name[160];		/* "EXPORTER,IMPORTER" */
	int peers;		/* how many of both ends are the suite's peers */
	size_t weight;		/* of a case: how long it takes, beside others */
};

struct pairs {
	struct pair *pairs;
	size_t count;
};

/**
 * pairs_make - pairs of peers first, then those with one, then the others
 * @pairs: to be released with pairs_release(), also after a failure
 * @exporters, @importers: arrays of "backend" records, which have to stay
 *
 * Return: false if there is no memory.
 */
bool pairs_make(struct pairs *pairs, const json_t *exporters,
		const json_t *importers);

void pairs_release(struct pairs *pairs);

#endif

// SPDX-License-Identifier: GPL-2.0-only
#include "monitor/live.h"

#include <stdlib.h>
#include <string.h>

#include "clause/clause.h"
#include "monitor/findings.h"
#include "monitor/name.h"
#include "monitor/outcome.h"

/* Names are asked for when a number comes up that has none yet. */
static const struct outcome_ends *ends_of(struct probes *probes,
					  unsigned int pair)
{
	static struct outcome_ends ends[WATCH_PAIRS];
	struct probes_count *counts;

	pair %= WATCH_PAIRS;
	if (*ends[pair].exporter || !pair)
		return &ends[pair];
	counts = calloc(WATCH_PAIRS, sizeof(*counts));
	if (!counts)
		return &ends[pair];
	probes_count(probes, counts);
	for (int i = 0; i < WATCH_PAIRS; i++)
		if (counts[i].known && !*ends[i].exporter)
			outcome_name_ends(&counts[i].pair, &ends[i]);
	free(counts);
	return &ends[pair];
}

void live_event(struct probes *probes, const struct watch_event *event,
		FILE *out)
{
	const struct outcome_ends *ends = ends_of(probes, event->pair);
	char comm[WATCH_COMM_SIZE];

	memcpy(comm, event->comm, sizeof(comm));
	name_clean(comm);
	fprintf(out, "%llu.%06llu %s[%u] %-16s %s%s%s buffer=%llx",
		(unsigned long long)event->now_ns / 1000000000,
		(unsigned long long)event->now_ns / 1000 % 1000000,
		comm, event->pid,
		findings_function(event->function), ends->exporter,
		*ends->importer ? "," : "", ends->importer,
		(unsigned long long)event->buffer);
	if (event->attachment)
		fprintf(out, " attachment=%llx pins=%u mappings=%u",
			(unsigned long long)event->attachment, event->pins,
			event->mapped);
	if (event->result < 0)
		fprintf(out, " error=%s", strerror(-event->result));
	for (int check = 0; check < WATCH_COUNT; check++)
		if (event->broken & 1ULL << check)
			fprintf(out, " BREAKS %s",
				clause_get(outcome_clause(check))->id);
	fputc('\n', out);
}

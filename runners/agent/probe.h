/* SPDX-License-Identifier: GPL-2.0-only */
/* What cts-probe found: exporters, importers, the law. */
#ifndef CTS_AGENT_PROBE_H
#define CTS_AGENT_PROBE_H

#include <jansson.h>
#include <stdbool.h>

#include "agent/options.h"

#define LAW_SIZE	4096

struct probe {
	json_t *exporters;	/* arrays of "backend" records */
	json_t *importers;
	char law[LAW_SIZE];	/* "name=value,...", for the programs */
	bool quiet;		/* do not put its records on the stream */
};

/**
 * probe_run - run cts-probe and keep what it found
 * @probe: to be released with probe_release(), also after a failure
 * @options: where cts-probe is, and what it may do
 *
 * Return: 0, or the status to exit with after an error record.
 */
int probe_run(struct probe *probe, const struct options *options);

void probe_release(struct probe *probe);

#endif

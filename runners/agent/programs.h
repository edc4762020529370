/* SPDX-License-Identifier: GPL-2.0-only */
/* The conformance programs of a folder. */
#ifndef CTS_AGENT_PROGRAMS_H
#define CTS_AGENT_PROGRAMS_H

#include <jansson.h>

#include "agent/options.h"

/**
 * programs_find - names of the programs that are there and wanted, sorted
 * @names: array of strings, out; to be released with json_decref()
 * @others: what others_find() found: a name of theirs may be wanted, too; or NULL
 *
 * Return: 0, or the status to exit with after an error record.
 */
int programs_find(json_t **names, const json_t *others,
		  const struct options *options);

#endif

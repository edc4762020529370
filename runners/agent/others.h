/* SPDX-License-Identifier: GPL-2.0-only */
/* Test programs of others, which run beside the conformance programs. */
#ifndef CTS_AGENT_OTHERS_H
#define CTS_AGENT_OTHERS_H

#include <jansson.h>

#include "agent/options.h"

/* The program, in the folder of ours, that has them speak as ours do. */
#define OTHERS_ADAPTER	"cts-others"

/**
 * others_find - the programs of others that are there and wanted
 * @others: array of {"origin", "program"}, out; to be released with
 *	    json_decref()
 *
 * Return: 0, or the status to exit with after an error record.
 */
int others_find(json_t **others, const struct options *options);

/**
 * others_folder - where the programs of an origin are
 *
 * Return: the folder, as --with named it; the origin itself if none was.
 */
const char *others_folder(const struct options *options, const char *origin);

#endif

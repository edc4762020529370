/* SPDX-License-Identifier: GPL-2.0-only */
/* The conformance programs of a folder. */
#ifndef CTS_AGENT_PROGRAMS_H
#define CTS_AGENT_PROGRAMS_H

#include <jansson.h>

#include "agent/options.h"

/**
 * programs_find - names of the programs that are there and wanted, sorted
 * @names: array of strings, out; to be released with json_decref()
 *
 * A program is an executable file whose name has no '.' and does not begin
 * with "cts-".
 *
 * Return: 0, or the status to exit with after an error record.
 */
int programs_find(json_t **names, const struct options *options);

#endif

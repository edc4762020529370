/* SPDX-License-Identifier: GPL-2.0-only */
/* Selectors given by the user, against what was found. */
#ifndef CTS_AGENT_CHOICE_H
#define CTS_AGENT_CHOICE_H

#include <jansson.h>
#include <stddef.h>

#include "agent/options.h"

/**
 * choose_backends - the available back ends that were asked for
 * @chosen: array of "backend" records, out; to be released with json_decref()
 * @found: array of those that cts-probe found
 * @selectors: whole selectors ("drm:vgem"), or back ends ("drm": all of its
 *	       instances); none: every available one
 * @role: "exporter" or "importer", for messages
 *
 * Return: 0, or the status to exit with after an error record: 2 for one that
 * does not exist, 125 for one that is absent on this machine.
 */
int choose_backends(json_t **chosen, const json_t *found,
		    const struct words *selectors, const char *role);

/**
 * list_names - "a, b, c" of strings, or of a member of objects
 * @key: the member, NULL for an array of strings
 */
void list_names(char *text, size_t size, const json_t *array, const char *key);

/* All the reasons why a back end is absent, "a; b". */
void list_reasons(char *text, size_t size, const json_t *backend);

#endif

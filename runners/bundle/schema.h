/* SPDX-License-Identifier: GPL-2.0-only */
/* JSON against a JSON schema, as far as the suite's own schemas go. */
#ifndef CTS_BUNDLE_SCHEMA_H
#define CTS_BUNDLE_SCHEMA_H

#include <jansson.h>
#include <stdbool.h>

/**
 * schema_check - tell by wrong() what does not keep a schema
 * @name: of the file, for messages
 * @value: its content
 * @schema: a schema of draft 7; a keyword that is not known here ends the check
 *	with a message on stderr, since nobody could say then what was checked
 *
 * Members that the schema does not describe are allowed.
 *
 * Return: false if the schema cannot be used.
 */
bool schema_check(const char *name, const json_t *value, const json_t *schema);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* statement.txt: what the submitter says of a run, field by field. */
#ifndef CTS_BUNDLE_STATEMENT_H
#define CTS_BUNDLE_STATEMENT_H

#include <jansson.h>
#include <stdbool.h>

#include "report/memory.h"

/**
 * statement_template - a statement to be filled in
 * @run, @environment: content of the run's files; fields that they tell are
 *	filled in already
 * @profiles: of conformance, to suggest those that the run's drivers declare
 *
 * Return: a text, good until memory_release().
 */
const char *statement_template(const json_t *run, const json_t *environment,
			       const json_t *profiles);

/**
 * statement_parse - read a statement
 *
 * Return: an object with a string for each field, empty for a blank one, good
 * until memory_release(); what else is wrong with it is in @faults, const
 * char * each.
 */
const json_t *statement_parse(const char *text, struct list *faults);

/* Names of fields that were left blank, const char * each. */
struct list statement_blanks(const json_t *statement);

/* A driver that is said to keep a profile. */
struct claim {
	const char *driver;	/* NULL: each that has the profile's role */
	const char *profile;
};

/**
 * claims_parse - "DRIVER PROFILE, DRIVER PROFILE", "PROFILE" or "none"
 * @claims: gets struct claim
 */
void claims_parse(struct list *claims, const char *text);

/* The best profile whose marks a driver declares; NULL if there is none. */
const json_t *statement_suggest(const json_t *profiles, const json_t *backend);

#endif

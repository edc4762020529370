/* SPDX-License-Identifier: GPL-2.0-only */
/* Which case of which program judges which clause. */
#ifndef CTS_AGENT_PLANS_H
#define CTS_AGENT_PLANS_H

#include <jansson.h>
#include <stdbool.h>

#include "agent/options.h"
#include "stream/mutant.h"

/**
 * plans_find - ask each program for its plan, which touches no device
 * @programs: array of names
 * @law: as DMABUF_CTS_LAW has it, or ""
 *
 * Return: object of arrays of cases by program, see plan_scope_make(), to be released
 * with json_decref(). A program that gives no plan is not in it.
 */
json_t *plans_find(const json_t *programs, const struct options *options,
		   const char *law);

/**
 * plans_cases_of - the cases of a program that can catch a mutant
 *
 * Return: array of names; NULL if the program gave no plan, so that all of its
 * cases have to be tried.
 */
json_t *plans_cases_of(const json_t *plans, const char *program,
		       const struct mutant *mutant);

#endif

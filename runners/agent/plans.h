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
 *
 * Return: object of arrays [{"case", "clauses", "needs", "parties", "each_pair"}] by
 * program, to be released with json_decref(). A program that gives no plan is not in it.
 */
json_t *plans_find(const json_t *programs, const struct options *options);

/**
 * plans_cases_of - the cases of a program that can catch a mutant
 *
 * Return: array of names; NULL if the program gave no plan, so that all of its
 * cases have to be tried.
 */
json_t *plans_cases_of(const json_t *plans, const char *program,
		       const struct mutant *mutant);

/**
 * plans_fit - whether any case of a program can apply to a pair
 * @exporter, @importer: "backend" records
 * @count: how many can; 0 if the program gave no plan
 *
 * Only spares a process that would find nothing to do: the program itself
 * knows best, so what cannot be told from the records counts as fitting.
 *
 * Return: true if a case needs nothing that both ends are known to lack, or
 * if the program gave no plan.
 */
bool plans_fit(const json_t *plans, const char *program,
	       const json_t *exporter, const json_t *importer, size_t *count);

/* Whether a back end, as its record has it, is one of the suite's peers. */
bool plans_is_ours(const json_t *backend);

/**
 * plans_fresh - the cases of a program to run on a pair with a peer
 * @judged: object, at first empty, that holds what earlier pairs judge
 *
 * A case that judges nobody but a peer is a self-test, for which one partner
 * will do. One that judges another end, and does not need a peer as its
 * partner, is run with one peer. Unless its outcome depends on the partner, as
 * it then says.
 *
 * Return: array of names; NULL for all that fit, also if the program gave no plan.
 */
json_t *plans_fresh(const json_t *plans, const char *program,
		    const json_t *exporter, const json_t *importer,
		    json_t *judged);

#endif

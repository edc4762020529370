/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which cases of which programs are for a pair. Plans are an object of arrays
 * [{"case", "clauses", "needs", "parties", "each_pair"}] by program.
 */
#ifndef CTS_STREAM_PLAN_H
#define CTS_STREAM_PLAN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/**
 * plan_case_fits - whether a case may apply to a pair
 * @entry: of a plan
 * @exporter, @importer: "backend" records
 *
 * Return: true if it needs nothing that both ends are known to lack.
 */
bool plan_case_fits(const json_t *entry, const json_t *exporter,
		    const json_t *importer);

/**
 * plan_fits - whether any case of a program can apply to a pair
 * @exporter, @importer: "backend" records
 * @count: how many can; 0 if the program gave no plan
 *
 * Only spares a process that would find nothing to do: the program itself
 * knows best, so what cannot be told from the records counts as fitting.
 *
 * Return: true if a case needs nothing that both ends are known to lack, or
 * if the program gave no plan.
 */
bool plan_fits(const json_t *plans, const char *program,
	       const json_t *exporter, const json_t *importer, size_t *count);

/* Whether a back end, as its record has it, is one of the suite's peers. */
bool plan_is_ours(const json_t *backend);

/* What plan_fresh() looks at, of a whole run. */
struct plan_scope {
	const json_t *plans;
	const json_t *importers;	/* "backend" records of those chosen */
	bool moves_while_mapped;	/* the law: a mapping need not be a pin */
	json_t *judged;		/* object, at first empty: what earlier pairs judge */
};

/**
 * plan_fresh - the cases of a program to run on a pair with a peer
 *
 * A case that judges nobody but a peer is a self-test, for which one partner
 * will do: the first, unless the exporter may decline it and another is left
 * that it may not. One that judges another end, and does not need a peer as
 * its partner, is run with one peer. Unless its outcome depends on the partner,
 * as it then says.
 *
 * Return: array of names; NULL for all that fit, also if the program gave no plan.
 */
json_t *plan_fresh(struct plan_scope *scope, const char *program,
		   const json_t *exporter, const json_t *importer);

#endif

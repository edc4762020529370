/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which cases of which programs are for a pair. The question is asked of each case
 * for each pair, and cts-agent asks it on an emulated processor: so plans and back
 * ends are read once, and compared as bits (see traits.h).
 */
#ifndef CTS_STREAM_PLAN_H
#define CTS_STREAM_PLAN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* The plans and back ends of a run. */
struct plan_scope;

/* What a program has for these back ends. */
struct plan;

/* Two back ends, by their places in the arrays that the scope was made of. */
struct plan_pair {
	size_t exporter;
	size_t importer;
};

/**
 * plan_scope_make - read plans and back ends
 * @plans: object of arrays [{"case", "clauses", "needs", "parties"}] by program;
 *	   and, true or not there, "each_pair", "any_exporter", "any_importer" and
 *	   "last_resort", as lib/pair/capability.h has them, and "void" where the
 *	   law has none of the case's clauses
 * @exporters, @importers: "backend" records of those chosen
 * @moves_while_mapped: the law: a mapping need not be a pin
 *
 * The JSON has to stay as long as the scope.
 *
 * Return: to be released with plan_scope_release(); NULL if there is no memory.
 */
struct plan_scope *plan_scope_make(const json_t *plans, const json_t *exporters,
				   const json_t *importers,
				   bool moves_while_mapped);

void plan_scope_release(struct plan_scope *scope);

/* NULL if the program gave no plan. */
struct plan *plan_of(struct plan_scope *scope, const char *program);

/**
 * plan_case_fits - whether a case may apply to a pair
 * @number: of the case in its plan
 *
 * Return: true if it needs nothing that both ends are known to lack.
 */
bool plan_case_fits(const struct plan *plan, size_t number,
		    struct plan_pair pair);

/**
 * plan_fits - whether any case of a program can apply to a pair
 * @plan: NULL if the program gave none
 * @count: how many can; 0 if the program gave no plan
 *
 * Only spares a process that would find nothing to do: the program itself
 * knows best, so what cannot be told from the records counts as fitting.
 *
 * Return: true if a case needs nothing that both ends are known to lack, or
 * if the program gave no plan.
 */
bool plan_fits(const struct plan *plan, struct plan_pair pair, size_t *count);

/* Whether a back end, as its record has it, is one of the suite's peers. */
bool plan_is_ours(const json_t *backend);

/**
 * plan_fresh - the cases of a program to run on a pair
 *
 * A case that judges nobody but peers is a self-test, for which one pair will do:
 * the first, unless the exporter may decline the importer and a pair is left where
 * it may not. One that judges another end, and does not need a peer as its partner,
 * is run with one peer; or with whoever comes first, if it says that its partner has
 * no part in the outcome. One that judges all ends alike, or only code of the
 * kernel's that is neither end's, is run until each end was in it once; the former
 * on each two drivers as well. Unless its outcome depends on the partner, as it then
 * says. What earlier pairs of the scope were given is remembered.
 *
 * Return: array of names; NULL for all that fit, also if the program gave no plan.
 */
json_t *plan_fresh(struct plan *plan, struct plan_pair pair);

/**
 * plan_speaks - whether one of these cases is sure to apply to this pair, by the law too
 * @cases: array of names, as plan_fresh() gives it; NULL for all that fit
 *
 * Return: true also if the program gave no plan.
 */
bool plan_speaks(const struct plan *plan, struct plan_pair pair,
		 const json_t *cases);

/**
 * plan_last_resort - a case of a program for a pair that would be without any
 *
 * Return: its name, or NULL.
 */
json_t *plan_last_resort(const struct plan *plan, struct plan_pair pair);

#endif

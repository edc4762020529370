/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The case that is running: which clauses it declared, what its checks said
 * of each, and the verdict records at its end. Test programs use the macros
 * of pair/clause_test.h instead of these calls.
 */
#ifndef CTS_CASE_H
#define CTS_CASE_H

#include <stdbool.h>
#include <stddef.h>

#include "clause/clause.h"
#include "pair/capability.h"
#include "pair/pair.h"
#include "record/record.h"

#define CASE_CLAUSES_MAX	32

/* What CLAUSE_TEST() leaves in the program: one entry a test. */
struct clause_test {
	const char *name;
	const char *file;
	int line;
	capability_set needs;
	const enum clause_id *clauses;
	size_t clause_count;
};

/* Where a check stands in the source. */
struct check_site {
	const char *file;
	int line;
	const char *expression;
};

/**
 * case_begin - start the records of a case
 * @name: its name, as declared with CLAUSE_TEST()
 * @pair: the pair under test; must live until case_end()
 * @exit_code: where the harness keeps how the case goes
 *
 * Also re-arms once-only kernel warnings and opens the kernel log window.
 */
void case_begin(const char *name, struct pair *pair, const int *exit_code);

/* Whether the process runs a case already. */
bool case_has_begun(void);

/* How the case goes, as the harness has its process say by its exit status. */
int case_exit_code(void);

/**
 * case_check - record one check; of passes at one place the first
 * @clause: the clause it judges; must be declared by the case
 * @good: whether the clause was kept
 * @site: where the check stands
 * @format: what was seen, printf format
 *
 * Return: true if the case must now count as failed.
 */
bool case_check(enum clause_id clause, bool good, const struct check_site *site,
		const char *format, ...) __attribute__((format(printf, 4, 5)));

/**
 * case_note - record an observation, a refusal or a skip of one clause
 * @clause: the clause
 * @verdict: VERDICT_VALUE, VERDICT_REFUSED or VERDICT_SKIP
 * @format: the value or the reason
 */
void case_note(enum clause_id clause, enum verdict verdict,
	       const char *format, ...) __attribute__((format(printf, 3, 4)));

/**
 * case_abort - the case cannot go on
 * @verdict: VERDICT_SKIP for what is not yet judged, or VERDICT_ERROR for that
 *	     and for what was kept so far, since more was meant to be checked
 * @format: why
 */
void case_abort(enum verdict verdict, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * case_judged - whether any clause has a verdict already, skips apart
 */
bool case_judged(void);

/**
 * case_end - close the kernel log window and write the verdicts
 *
 * A clause that was declared but not judged becomes an error. Calling it
 * again does nothing.
 *
 * Return: true if the case must count as failed.
 */
bool case_end(void);

#endif

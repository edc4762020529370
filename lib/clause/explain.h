/* SPDX-License-Identifier: GPL-2.0-only */
/* The clause table as people and programs want to read it. */
#ifndef CTS_EXPLAIN_H
#define CTS_EXPLAIN_H

#include <jansson.h>
#include <stdio.h>

#include "clause/clause.h"
#include "clause/coverage.h"
#include "clause/profile.h"

/**
 * explain_clause - all about one clause or check, for a terminal
 * @out: where to
 * @clause: any entry; a lettered clause comes with its checks
 * @law: the law under which to tell its strength too, or NULL
 * @coverage: the tests to name
 */
void explain_clause(FILE *out, const struct clause *clause,
		    const struct law *law, const struct coverage *coverage);

/**
 * explain_list - one line for each clause without letters and each check
 * @out: where to
 * @untested: only those that no test declares
 * @coverage: the tests
 */
void explain_list(FILE *out, bool untested, const struct coverage *coverage);

/**
 * explain_tests - each test with its clauses and the kinds of pair it is for
 * @out: where to
 * @coverage: the tests
 */
void explain_tests(FILE *out, const struct coverage *coverage);

/**
 * explain_page - the whole contract as a page in Markdown
 * @out: where to
 * @coverage: the tests to name
 */
void explain_page(FILE *out, const struct coverage *coverage);

/**
 * explain_json - all about one clause or check, for programs
 * @clause: any entry; a lettered clause comes with its checks
 * @coverage: the tests to name
 *
 * Return: a new JSON object.
 */
json_t *explain_json(const struct clause *clause,
		     const struct coverage *coverage);

/**
 * explain_profile - what a profile of conformance consists of
 * @out: where to
 * @profile: the profile
 * @law: only what is a MUST under this law; NULL for all
 * @coverage: the tests, to tell which clauses have none
 */
void explain_profile(FILE *out, const struct profile *profile,
		     const struct law *law, const struct coverage *coverage);

/**
 * explain_profiles - a line for each profile
 * @out: where to
 */
void explain_profiles(FILE *out);

/**
 * explain_profiles_json - all profiles, for programs
 * @coverage: the tests
 *
 * A clause comes with what a driver must declare to be asked for it ("if"), the
 * laws under which it is no MUST ("unless"), and for each test that judges it what
 * a driver must declare to be judged ("tests").
 *
 * Return: a new JSON object.
 */
json_t *explain_profiles_json(const struct coverage *coverage);

/**
 * explain_unknown - say that there is no such clause, and what may be meant
 * @out: where to
 * @name: what was asked for
 */
void explain_unknown(FILE *out, const char *name);

#endif

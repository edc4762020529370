/* SPDX-License-Identifier: GPL-2.0-only */
/* What a verified bundle has to be, part by part. All faults go to wrong(). */
#ifndef CTS_BUNDLE_CHECK_H
#define CTS_BUNDLE_CHECK_H

#include <jansson.h>
#include <stdbool.h>

#include "bundle/files.h"

/* What is being verified, and what with. */
struct checked {
	const struct files *files;
	const json_t *run;		/* run.json */
	const json_t *environment;	/* environment.json */
	const json_t *statement;
	const json_t *plans;		/* of this suite's tests */
	const json_t *profiles;		/* of conformance */
	bool allow_blanks;
	bool publish;			/* what nobody may publish is wrong */
};

/* That run.json is whole, and that nothing in it contradicts anything else. */
void check_run(const struct checked *checked);

/* That run.ktap and run.tap say the same. */
void check_ktap(const struct checked *checked);

/* That environment.json is there and is that of the run. */
void check_environment(const struct checked *checked);

/* That the submitter said what is asked, and of this run. */
void check_statement(const struct checked *checked);

/* That no test was left out on any pair of the run. */
void check_tests(const struct checked *checked);

/**
 * check_profiles - that each MUST of a profile was judged
 * @claims: of struct claim
 */
void check_profiles(const struct checked *checked, const struct list *claims);

/* A back end of the run, NULL if there is none. */
const json_t *check_find_backend(const struct checked *checked,
				 const char *role, const char *selector);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Profiles of conformance, as "cts-explain --profiles --json" has them, and
 * whether a driver keeps one. dmabuf-cts-verify(1) says what that means.
 */
#ifndef CTS_CONFORM_PROFILE_H
#define CTS_CONFORM_PROFILE_H

#include <jansson.h>
#include <stdbool.h>

#include "report/memory.h"

/* What one driver showed in one role, on one kernel. */
struct showing {
	const json_t *capabilities;	/* array of labels that it declares */
	const json_t *law;	/* object, value by feature */
	const json_t *clauses;	/* object by clause, of {"counts": {verdict: n}} */
};

/* How far a driver keeps a profile. Clauses and labels are const char *. */
struct conformity {
	const json_t *profile;
	struct list lacks;	/* marks of the profile that it does not declare */
	struct list broken;	/* clauses that it breaks */
	struct list not_run;	/* that nobody judged it by */
	struct list untested;	/* that no test of this suite judges such a driver by */
	size_t kept;
};

/**
 * profiles_load - read the profiles
 * @path: a file with the output of "cts-explain --profiles --json"
 *
 * Return: what is in it, good until memory_release(); NULL after a message on
 * stderr.
 */
const json_t *profiles_load(const char *path);

/* The profile of that name, NULL if there is none. */
const json_t *profiles_find(const json_t *profiles, const char *name);

/* The version of the clause table that they are made of. */
int profiles_table(const json_t *profiles);

/* Profiles are kept in order; walk over those of a role, NULL to begin. */
const json_t *profiles_next(const json_t *profiles, const char *role,
			    const json_t *previous);

/**
 * profile_compare - how far a driver keeps a profile
 *
 * A clause that has only been skipped, or that no test could judge, was not run.
 */
struct conformity profile_compare(const json_t *profile,
				  const struct showing *showing);

/* Whether it keeps the profile, as far as there are tests. */
bool conformity_is_met(const struct conformity *conformity);

/* "exporter-static" and so on. */
const char *profile_name(const json_t *profile);

#endif

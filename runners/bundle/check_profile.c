// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "bundle/check.h"
#include "bundle/statement.h"
#include "bundle/wrong.h"
#include "conform/profile.h"
#include "stream/text.h"

/* A driver in one role: what it declares, and how its clauses came out. */
struct driver {
	const char *name;
	json_t *capabilities;	/* array of labels, of all its instances */
	json_t *clauses;	/* as struct showing wants them */
};

static bool is_end(const json_t *leaf, const char *role)
{
	const char *judged = text_member(json_object_get(leaf, "subject"),
					 "role", "");

	return !strcmp(judged, role) ||
	       (!strcmp(role, "importer") && !strcmp(judged, "nic"));
}

static void count_leaf(json_t *clauses, const json_t *leaf)
{
	const char *clause = text_member(leaf, "clause", "?");
	const char *verdict = text_member(leaf, "verdict", "?");
	json_t *entry = json_object_get(clauses, clause);
	json_t *counts = json_object_get(entry, "counts");
	json_int_t count = json_integer_value(json_object_get(counts, verdict));

	if (!counts) {
		counts = json_object();
		json_object_set_new(clauses, clause,
				    json_pack("{s:o}", "counts", counts));
	}
	json_object_set_new(counts, verdict, json_integer(count + 1));
}

static void count_leaves(const struct checked *checked, struct driver *driver,
			 const char *role)
{
	json_t *leaf;
	size_t i;

	json_array_foreach(json_object_get(checked->run, "leaves"), i, leaf)
		if (is_end(leaf, role) &&
		    !json_is_true(json_object_get(leaf, "self_test")) &&
		    !strcmp(text_member(json_object_get(leaf, "subject"),
					"driver", ""), driver->name))
			count_leaf(driver->clauses, leaf);
}

static struct driver *driver_of(struct list *drivers, const char *name)
{
	struct driver *driver;

	for_list(struct driver *, known, drivers)
		if (!strcmp(known->name, name))
			return known;
	driver = memory_get(sizeof(*driver));
	driver->name = name;
	driver->capabilities = memory_hold(json_array());
	driver->clauses = memory_hold(json_object());
	json_decref(driver->capabilities);
	json_decref(driver->clauses);
	list_add(drivers, driver);
	return driver;
}

/* Those that a claim speaks of. */
static struct list find_drivers(const struct checked *checked,
				const char *role, const char *wanted)
{
	struct list drivers = { 0 };
	json_t *backend;
	size_t i;

	json_array_foreach(json_object_get(checked->run, "backends"), i,
			   backend) {
		const char *name = text_member(backend, "driver", "?");

		if (json_is_true(json_object_get(backend, "available")) &&
		    !json_is_true(json_object_get(backend, "ours")) &&
		    !strcmp(text_member(backend, "role", ""), role) &&
		    (!wanted || !strcmp(wanted, name)))
			json_array_extend(driver_of(&drivers, name)->capabilities,
				json_object_get(backend, "capabilities"));
	}
	return drivers;
}

static json_t *law_of(const struct checked *checked)
{
	json_t *law = memory_hold(json_object());
	json_t *entry;
	size_t i;

	json_decref(law);
	json_array_foreach(json_object_get(checked->run, "law"), i, entry)
		json_object_set(law, text_member(entry, "feature", "?"),
				json_object_get(entry, "value"));
	return law;
}

static void check_driver(const struct checked *checked, struct driver *driver,
			 const json_t *profile)
{
	struct showing showing = {
		.capabilities = driver->capabilities,
		.law = law_of(checked),
		.clauses = driver->clauses,
	};
	struct conformity conformity;

	count_leaves(checked, driver, text_member(profile, "role", ""));
	conformity = profile_compare(profile, &showing);
	for_list(const char *, mark, &conformity.lacks)
		wrong("%s %s: the driver does not declare '%s'", driver->name,
		      profile_name(profile), mark);
	for_list(const char *, clause, &conformity.not_run)
		wrong("%s %s: %s is a MUST of it, and was not run",
		      driver->name, profile_name(profile), clause);
}

static void check_claim(const struct checked *checked,
			const struct claim *claim)
{
	const json_t *profile = profiles_find(checked->profiles,
					      claim->profile);
	struct list drivers;

	if (!profile) {
		wrong("there is no profile '%s' ('dmabuf-cts explain --profiles' lists them)",
		      claim->profile);
		return;
	}
	drivers = find_drivers(checked, text_member(profile, "role", ""),
			       claim->driver);
	if (!drivers.count)
		wrong("%s %s: the run has no such %s", claim->driver ?: "any driver",
		      claim->profile, text_member(profile, "role", "?"));
	for_list(struct driver *, driver, &drivers)
		check_driver(checked, driver, profile);
}

void check_profiles(const struct checked *checked, const struct list *claims)
{
	for_list(const struct claim *, claim, claims)
		check_claim(checked, claim);
}

// SPDX-License-Identifier: GPL-2.0-only
#include "conform/profile.h"

#include <stdio.h>
#include <string.h>

#include "report/verdict.h"
#include "stream/text.h"

enum standing { NOT_RUN, KEPT, BROKEN };

const json_t *profiles_load(const char *path)
{
	json_error_t error;
	json_t *profiles = json_load_file(path, 0, &error);

	if (!json_is_array(json_object_get(profiles, "profiles"))) {
		fprintf(stderr, "%s has no profiles of conformance: %s\n", path,
			profiles ? "there is no array of them" : error.text);
		json_decref(profiles);
		return NULL;
	}
	memory_hold(profiles);
	json_decref(profiles);
	return profiles;
}

const char *profile_name(const json_t *profile)
{
	return text_member(profile, "profile", "?");
}

const json_t *profiles_find(const json_t *profiles, const char *name)
{
	json_t *profile;
	size_t i;

	json_array_foreach(json_object_get(profiles, "profiles"), i, profile)
		if (!strcmp(profile_name(profile), name))
			return profile;
	return NULL;
}

int profiles_table(const json_t *profiles)
{
	return json_integer_value(json_object_get(profiles, "clause_table"));
}

const json_t *profiles_next(const json_t *profiles, const char *role,
			    const json_t *previous)
{
	bool seen = !previous;
	json_t *profile;
	size_t i;

	json_array_foreach(json_object_get(profiles, "profiles"), i, profile) {
		if (seen && !strcmp(text_member(profile, "role", ""), role))
			return profile;
		seen |= profile == previous;
	}
	return NULL;
}

static bool declares(const struct showing *showing, const char *label)
{
	json_t *known;
	size_t i;

	json_array_foreach((json_t *)showing->capabilities, i, known)
		if (json_is_string(known) &&
		    !strcmp(json_string_value(known), label))
			return true;
	return false;
}

static bool declares_all(const struct showing *showing, const json_t *labels)
{
	json_t *label;
	size_t i;

	json_array_foreach(labels, i, label)
		if (!declares(showing, json_string_value(label)))
			return false;
	return true;
}

/* Whether there is a test for drivers that declare what this one does. */
static bool has_test(const json_t *clause, const struct showing *showing)
{
	json_t *labels;
	size_t i;

	json_array_foreach(json_object_get(clause, "tests"), i, labels)
		if (declares_all(showing, labels))
			return true;
	return false;
}

/* Nobody fails for what perhaps is not asked: an unknown law excuses, too. */
static bool is_must(const json_t *clause, const struct showing *showing)
{
	json_t *when;
	size_t i;

	json_array_foreach(json_object_get(clause, "unless"), i, when) {
		const char *value = text_member(showing->law,
			text_member(when, "feature", ""), "either");

		if (!strcmp(value, "either") ||
		    !strcmp(value, text_member(when, "value", "")))
			return false;
	}
	return true;
}

static enum standing standing_of(const struct showing *showing,
				 const char *clause)
{
	json_t *entry = json_object_get(showing->clauses, clause);
	bool kept = false, unclear = false;
	const char *word;
	json_t *count;

	json_object_foreach(json_object_get(entry, "counts"), word, count) {
		enum verdict verdict = verdict_find(word);

		if (verdict == VERDICT_ERROR)
			unclear = true;
		else if (verdict_is_bad(verdict))
			return BROKEN;
		else
			kept |= verdict != VERDICT_SKIP;
	}
	return kept && !unclear ? KEPT : NOT_RUN;
}

static void compare_clause(struct conformity *conformity, const json_t *clause,
			   const struct showing *showing)
{
	const char *id = text_member(clause, "clause", "?");

	switch (standing_of(showing, id)) {
	case BROKEN:
		list_add(&conformity->broken, (char *)id);
		break;
	case KEPT:
		conformity->kept++;
		break;
	case NOT_RUN:
		list_add(has_test(clause, showing) ? &conformity->not_run :
						     &conformity->untested,
			 (char *)id);
		break;
	}
}

struct conformity profile_compare(const json_t *profile,
				  const struct showing *showing)
{
	struct conformity conformity = { .profile = profile };
	json_t *entry;
	size_t i;

	json_array_foreach(json_object_get(profile, "has"), i, entry)
		if (!declares(showing, json_string_value(entry)))
			list_add(&conformity.lacks,
				 (char *)json_string_value(entry));
	json_array_foreach(json_object_get(profile, "clauses"), i, entry)
		if (declares_all(showing, json_object_get(entry, "if")) &&
		    is_must(entry, showing))
			compare_clause(&conformity, entry, showing);
	return conformity;
}

bool conformity_is_met(const struct conformity *conformity)
{
	return !conformity->lacks.count && !conformity->broken.count &&
	       !conformity->not_run.count && conformity->kept;
}

// SPDX-License-Identifier: GPL-2.0-only
/* Profiles of conformance, for people and for programs. */

#include <string.h>

#include "clause/explain.h"

/* Some clauses can be seen kept by the suite's own peers alone. */
static bool is_tested_on(const struct profile *profile,
			 const struct clause *check,
			 const struct coverage *coverage)
{
	for (size_t i = 0; i < coverage->count; i++)
		if (test_declares(&coverage->tests[i], check) &&
		    profile_takes(profile, coverage->tests[i].needs))
			return true;
	return false;
}

static void print_set(FILE *out, const char *label, capability_set set)
{
	const char *comma = label;

	for (int i = 0; i < CAPABILITY_COUNT; i++) {
		if (!(set & CAP(i)))
			continue;
		fprintf(out, "%s%s", comma, capability_label(i));
		comma = ", ";
	}
}

static void print_line(const char *label, capability_set set, FILE *out)
{
	if (!set)
		return;
	print_set(out, label, set);
	putc('\n', out);
}

static void print_check(FILE *out, const struct profile *profile,
			const struct clause *check, const struct law *law,
			const struct coverage *coverage)
{
	enum strength strength = law ? clause_strength_under(check, law) :
				 STRENGTH_MUST;

	if (!profile_asks(profile, check) || strength != STRENGTH_MUST)
		return;
	fprintf(out, "%-11s %s", check->id, check->text);
	print_set(out, " If it declares: ", profile_condition(profile, check->applies));
	if (!law && clause_when_next(check, NULL))
		fputs(" [not under every law]", out);
	fputs(is_tested_on(profile, check, coverage) ? "\n" :
	      " [no test on drivers]\n", out);
}

void explain_profile(FILE *out, const struct profile *profile,
		     const struct law *law, const struct coverage *coverage)
{
	fprintf(out, "%s: %s\n", profile->name, profile->title);
	print_line("It declares: ", profile->has, out);
	print_line("It may declare: ", profile->may, out);
	for (int i = 0; i < CLAUSE_COUNT; i++)
		print_check(out, profile, clause_get(i), law, coverage);
}

void explain_profiles(FILE *out)
{
	const struct profile *profile;

	for (size_t i = 0; (profile = profile_get(i)); i++)
		fprintf(out, "%-26s %s\n", profile->name, profile->title);
}

static json_t *labels_of(capability_set set)
{
	json_t *labels = json_array();

	for (int i = 0; i < CAPABILITY_COUNT; i++)
		if (set & CAP(i))
			json_array_append_new(labels,
					      json_string(capability_label(i)));
	return labels;
}

/* What makes it weaker under another law. */
static json_t *laws_of(const struct clause *check)
{
	const struct clause_when *when = NULL;
	json_t *laws = json_array();

	while ((when = clause_when_next(check, when)))
		if (when->strength < STRENGTH_MUST)
			json_array_append_new(laws, json_pack("{s:s s:s}",
				"feature", law_name(when->feature),
				"value", law_value_name(when->value)));
	return laws;
}

/* What a driver must declare for each of the tests to be for it. */
static json_t *tests_of(const struct profile *profile,
			const struct clause *check,
			const struct coverage *coverage)
{
	json_t *tests = json_array();

	for (size_t i = 0; i < coverage->count; i++) {
		const struct covering_test *test = &coverage->tests[i];

		if (test_declares(test, check) &&
		    profile_takes(profile, test->needs))
			json_array_append_new(tests, labels_of(
				profile_condition(profile, test->needs)));
	}
	return tests;
}

static json_t *clauses_of(const struct profile *profile,
			  const struct coverage *coverage)
{
	json_t *clauses = json_array();

	for (int i = 0; i < CLAUSE_COUNT; i++) {
		const struct clause *check = clause_get(i);

		if (profile_asks(profile, check))
			json_array_append_new(clauses, json_pack(
				"{s:s s:s s:o s:o s:o}", "clause", check->id,
				"text", check->text, "if",
				labels_of(profile_condition(profile, check->applies)),
				"unless", laws_of(check),
				"tests", tests_of(profile, check, coverage)));
	}
	return clauses;
}

json_t *explain_profiles_json(const struct coverage *coverage)
{
	json_t *list = json_array();
	const struct profile *profile;

	for (size_t i = 0; (profile = profile_get(i)); i++)
		json_array_append_new(list, json_pack("{s:s s:s s:s s:o s:o}",
			"profile", profile->name,
			"role", party_name(profile->role),
			"title", profile->title,
			"has", labels_of(profile->has),
			"clauses", clauses_of(profile, coverage)));
	return json_pack("{s:i s:o}", "clause_table", CLAUSE_TABLE_VERSION,
			 "profiles", list);
}

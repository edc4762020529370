// SPDX-License-Identifier: GPL-2.0-only
/* A clause for programs. */

#include "clause/explain.h"

static json_t *applies_of(const struct clause *check)
{
	json_t *names = json_array();

	for (int i = 0; i < CAPABILITY_COUNT; i++)
		if (check->applies & CAP(i))
			json_array_append_new(names,
					      json_string(capability_name(i)));
	return names;
}

static json_t *tests_of(const struct clause *clause,
			const struct coverage *coverage)
{
	json_t *names = json_array();

	for (size_t i = 0; i < coverage->count; i++) {
		const struct covering_test *test = &coverage->tests[i];

		if (test_declares(test, clause))
			json_array_append_new(names,
					      json_sprintf("%s.%s",
							   test->program,
							   test->name));
	}
	return names;
}

static json_t *laws_of(const struct clause *clause)
{
	const struct clause_when *when = NULL;
	json_t *laws = json_array();

	while ((when = clause_when_next(clause, when)))
		json_array_append_new(laws,
			json_pack("{s:s s:s s:s s:s s:s}", "clause", when->id,
				  "feature", law_name(when->feature),
				  "value", law_value_name(when->value),
				  "strength", strength_name(when->strength),
				  "text", when->text));
	return laws;
}

static json_t *check_of(const struct clause *check,
			const struct coverage *coverage)
{
	return json_pack("{s:s s:s s:s s:s s:o s:o}", "clause", check->id,
			 "party", party_name(check->party),
			 "strength", strength_name(check->strength),
			 "text", check->text, "applies", applies_of(check),
			 "tests", tests_of(check, coverage));
}

/* The chapter that a clause is in; there is one. */
static const struct clause_group *group_of(const struct clause *clause)
{
	const struct clause_group *group;

	for (size_t i = 0; (group = clause_group(i)); i++)
		if (clause_in_group(clause, group))
			break;
	return group;
}

json_t *explain_json(const struct clause *clause,
		     const struct coverage *coverage)
{
	const struct clause_group *group = group_of(clause);
	json_t *checks = json_array();

	if (!clause->letters)
		json_array_append_new(checks, check_of(clause, coverage));
	for (unsigned int i = 0; i < clause->letters; i++)
		json_array_append_new(checks,
				      check_of(clause_letter(clause, i),
					       coverage));
	return json_pack("{s:s s:s s:s s:s s:s s:s? s:o s:o}",
			 "clause", clause->id, "group", group->name,
			 "title", group->title,
			 "text", clause->text, "source", clause->source,
			 "dispute", clause_dispute(clause),
			 "laws", laws_of(clause), "checks", checks);
}

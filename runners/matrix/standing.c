// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/standing.h"

/* A driver that meets none is on its way to what it declares, or to the first. */
static struct conformity first_step(const json_t *profiles, const char *role,
				    const struct showing *showing)
{
	const json_t *profile = profiles_next(profiles, role, NULL);
	struct conformity first = { 0 };

	for (; profile; profile = profiles_next(profiles, role, profile)) {
		struct conformity one = profile_compare(profile, showing);

		if (!first.profile || !one.lacks.count)
			first = one;
	}
	return first;
}

struct standing standing_of(const struct row *row, const json_t *profiles)
{
	struct showing showing = {
		.capabilities = json_object_get(row->result, "capabilities"),
		.law = json_object_get(row->result, "law"),
		.clauses = row->clauses,
	};
	struct standing standing = { 0 };
	const json_t *profile = NULL;

	standing.known = profiles && showing.capabilities && showing.law &&
			 profiles_next(profiles, row->role, NULL);
	if (!standing.known)
		return standing;
	while ((profile = profiles_next(profiles, row->role, profile))) {
		struct conformity one = profile_compare(profile, &showing);

		if (!conformity_is_met(&one))
			continue;
		standing.met = one;
		standing.next = (struct conformity){ 0 };
		if (profiles_next(profiles, row->role, profile))
			standing.next = profile_compare(
				profiles_next(profiles, row->role, profile),
				&showing);
	}
	if (!standing.met.profile)
		standing.next = first_step(profiles, row->role, &showing);
	return standing;
}

const char *standing_met(const struct standing *standing)
{
	const struct conformity *met = &standing->met;

	if (!standing->known)
		return "";
	if (!met->profile)
		return "none";
	if (!met->untested.count)
		return profile_name(met->profile);
	return memory_print("%s, of which %zu clause%s no test",
			    profile_name(met->profile), met->untested.count,
			    met->untested.count == 1 ? " has" : "s have");
}

static const char *add_list(const char *text, const char *label,
			    const struct list *words)
{
	const char *comma = label;

	for_list(const char *, word, words) {
		text = memory_print("%s%s%s", text, comma, word);
		comma = ", ";
	}
	return text;
}

const char *standing_next(const struct standing *standing)
{
	const struct conformity *next = &standing->next;
	const char *text;

	if (!next->profile)
		return "";
	text = profile_name(next->profile);
	text = add_list(text, "; does not declare: ", &next->lacks);
	text = add_list(text, "; breaks: ", &next->broken);
	text = add_list(text, "; not run: ", &next->not_run);
	return add_list(text, "; without a test: ", &next->untested);
}

// SPDX-License-Identifier: GPL-2.0-only
/* Look-ups in the clause table. */

#include "clause/clause.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each line of the table that has an id: clauses, and checks after theirs. */
enum entry_id {
#define CLAUSE(id, ...) ENTRY_##id,
#define LETTERED(id, ...) ENTRY_##id,
#define CHECK(id, letter, ...) ENTRY_##id##_##letter,
#include "clause/clauses.def"
	ENTRY_COUNT
};

/*
 * The preprocessor writes an id only as C does. complete_table() makes
 * "PIN-08" of "PIN_08", and sums up the checks of lettered clauses.
 */
static struct clause entries[ENTRY_COUNT] = {
#define CLAUSE(id_, party_, strength_, applies_, text_, source_) \
	{ .id = #id_, .party = PARTY_##party_, \
	  .strength = STRENGTH_##strength_, .applies = applies_, \
	  .text = text_, .source = source_ },
#define LETTERED(id_, text_, source_) \
	{ .id = #id_, .text = text_, .source = source_ },
#define CHECK(id_, letter_, party_, strength_, applies_, text_) \
	{ .id = #id_ "_" #letter_, .party = PARTY_##party_, \
	  .strength = STRENGTH_##strength_, .applies = applies_, \
	  .text = text_, .whole = &entries[ENTRY_##id_] },
#include "clause/clauses.def"
};

static const enum entry_id entry_of[CLAUSE_COUNT] = {
#define CLAUSE(id, ...) ENTRY_##id,
#define CHECK(id, letter, ...) ENTRY_##id##_##letter,
#include "clause/clauses.def"
};

static struct clause_when whens[] = {
#define WHEN(id_, feature_, value_, strength_, text_) \
	{ .id = #id_, .feature = LAW_##feature_, .value = value_, \
	  .strength = STRENGTH_##strength_, .text = text_ },
#include "clause/clauses.def"
};

static struct dispute {
	char id[CLAUSE_ID_SIZE];
	const char *text;
} disputes[] = {
#define DISPUTE(id_, text_) { .id = #id_, .text = text_ },
#include "clause/clauses.def"
};

static const struct clause_group groups[] = {
#define GROUP(name_, title_) { .name = #name_, .title = title_ },
#include "clause/clauses.def"
};

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

static const char *const party_names[PARTY_COUNT] = {
	[PARTY_EXPORTER] = "exporter",
	[PARTY_IMPORTER] = "importer",
	[PARTY_CORE] = "core",
	[PARTY_RDMA_CORE] = "rdma-core",
	[PARTY_NIC] = "nic",
	[PARTY_USER] = "user",
	[PARTY_ALL] = "all",
};

static const char *const strength_names[STRENGTH_COUNT] = {
	[STRENGTH_NONE] = "none",
	[STRENGTH_MAY] = "MAY",
	[STRENGTH_SHOULD] = "SHOULD",
	[STRENGTH_MUST] = "MUST",
};

/* "uapi_08_a", "UAPI-08.a" and so on become "UAPI-08.a". */
static void write_id(char *id, size_t size, const char *name)
{
	size_t length = 0;
	unsigned int separators = 0;

	for (; *name && length + 1 < size; name++) {
		if (strchr("_-.", *name))
			id[length++] = separators++ ? '.' : '-';
		else if (separators < 2)
			id[length++] = (char)toupper((unsigned char)*name);
		else
			id[length++] = (char)tolower((unsigned char)*name);
	}
	id[length] = '\0';
}

static void rewrite_id(char id[CLAUSE_ID_SIZE])
{
	char written[CLAUSE_ID_SIZE];

	write_id(written, sizeof(written), id);
	memcpy(id, written, sizeof(written));
}

static void add_letter(struct clause *whole, struct clause *check)
{
	if (!whole->letters)
		whole->party = check->party;
	if (check->strength > whole->strength)
		whole->strength = check->strength;
	whole->letters++;
	check->source = whole->source;
}

__attribute__((constructor)) static void complete_table(void)
{
	for (size_t i = 0; i < COUNT(entries); i++) {
		struct clause *clause = &entries[i];

		rewrite_id(clause->id);
		if (clause->whole)
			add_letter(&entries[clause->whole - entries], clause);
	}
	for (size_t i = 0; i < COUNT(whens); i++)
		rewrite_id(whens[i].id);
	for (size_t i = 0; i < COUNT(disputes); i++)
		rewrite_id(disputes[i].id);
}

const struct clause *clause_get(enum clause_id id)
{
	if ((unsigned int)id >= CLAUSE_COUNT) {
		fprintf(stderr, "clause table: no clause has the number %d\n",
			(int)id);
		abort();
	}
	return &entries[entry_of[id]];
}

const struct clause *clause_find(const char *name)
{
	char id[CLAUSE_ID_SIZE];

	if (strlen(name) >= sizeof(id))
		return NULL;
	write_id(id, sizeof(id), name);
	for (size_t i = 0; i < COUNT(entries); i++)
		if (!strcmp(entries[i].id, id))
			return &entries[i];
	return NULL;
}

const struct clause *clause_next(const struct clause *previous)
{
	const struct clause *end = entries + COUNT(entries);
	const struct clause *clause = previous ? previous + 1 : entries;

	while (clause < end && clause->whole)
		clause++;
	return clause < end ? clause : NULL;
}

const struct clause_group *clause_group(size_t index)
{
	return index < COUNT(groups) ? &groups[index] : NULL;
}

bool clause_in_group(const struct clause *clause,
		     const struct clause_group *group)
{
	size_t length = strlen(group->name);

	return !strncmp(clause->id, group->name, length) &&
	       clause->id[length] == '-';
}

const struct clause *clause_letter(const struct clause *whole,
				   unsigned int index)
{
	return index < whole->letters ? whole + 1 + index : NULL;
}

/* Whether an entry for @id speaks of @clause, of its whole, or of a part. */
static bool concerns(const char *id, const struct clause *clause)
{
	size_t length = strlen(clause->id);

	if (clause->whole && !strcmp(id, clause->whole->id))
		return true;
	return !strncmp(id, clause->id, length) &&
	       (!id[length] || id[length] == '.');
}

const struct clause_when *clause_when_next(const struct clause *clause,
					   const struct clause_when *previous)
{
	const struct clause_when *end = whens + COUNT(whens);
	const struct clause_when *when = previous ? previous + 1 : whens;

	while (when < end && !concerns(when->id, clause))
		when++;
	return when < end ? when : NULL;
}

const char *clause_dispute(const struct clause *clause)
{
	for (size_t i = 0; i < COUNT(disputes); i++)
		if (concerns(disputes[i].id, clause))
			return disputes[i].text;
	return NULL;
}

enum strength clause_strength_under(const struct clause *clause,
				    const struct law *law)
{
	enum strength strength = clause->strength;
	const struct clause_when *when = NULL;

	while ((when = clause_when_next(clause, when))) {
		enum law_value value = law->value[when->feature];

		if ((value == when->value || value == EITHER) &&
		    when->strength < strength)
			strength = when->strength;
	}
	return strength;
}

enum strength clause_strength(enum clause_id id)
{
	return clause_strength_under(clause_get(id), law_present());
}

size_t clause_features(enum clause_id id, enum law_feature features[LAW_COUNT])
{
	const struct clause *clause = clause_get(id);
	const struct clause_when *when = NULL;
	unsigned long long seen = 0;
	size_t count = 0;

	while ((when = clause_when_next(clause, when))) {
		if (seen & 1ULL << when->feature)
			continue;
		seen |= 1ULL << when->feature;
		features[count++] = when->feature;
	}
	return count;
}

json_t *clause_law(enum clause_id id)
{
	enum law_feature features[LAW_COUNT];
	size_t count = clause_features(id, features);
	json_t *law = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(law,
			json_sprintf("%s=%s", law_name(features[i]),
				     law_value_name(law_value(features[i]))));
	return law;
}

const char *party_name(enum party party)
{
	return party_names[party];
}

const char *strength_name(enum strength strength)
{
	return strength_names[strength];
}

// SPDX-License-Identifier: GPL-2.0-only
/* The clause table holds together, and is found, weighed and explained. */
#include "kselftest_harness.h"

#include <stdlib.h>
#include <string.h>

#include "clause/clause.h"
#include "clause/explain.h"

/* How many clauses each group of the contract has. */
static const struct {
	const char *group;
	int clauses;
} group_sizes[] = {
	{ "EXP", 10 }, { "LIFE", 11 }, { "ATT", 10 }, { "PIN", 15 },
	{ "MAP", 12 }, { "SGT", 9 }, { "LOCK", 8 }, { "INV", 12 },
	{ "REV", 10 }, { "FENCE", 8 }, { "P2P", 8 }, { "ERR", 9 },
	{ "CPU", 8 }, { "UAPI", 15 }, { "EXS", 6 }, { "RDR", 14 }, { "RUM", 16 },
	{ "NIC", 15 }, { "RDX", 7 }, { "VF", 8 }, { "IOF", 6 }, { "DRM", 8 }, { "NET", 9 },
	{ "ACCT", 8 },
};

/* Entries of the table that hang on an id, counted where they are written. */
enum {
	WHEN_COUNT = 0
#define WHEN(...) + 1
#include "clause/clauses.def"
	,
	DISPUTE_COUNT = 0
#define DISPUTE(...) + 1
#include "clause/clauses.def"
};

static bool is_sentence(const char *text)
{
	size_t length = text ? strlen(text) : 0;

	return length > 4 && text[length - 1] == '.' && !strstr(text, "  ");
}

TEST(groups_are_whole_and_numbered_without_a_gap)
{
	const struct clause_group *group;
	size_t i;

	for (i = 0; (group = clause_group(i)); i++) {
		const struct clause *clause = NULL;
		int number = 0;
		char id[32];

		ASSERT_LT(i, ARRAY_SIZE(group_sizes));
		EXPECT_STREQ(group_sizes[i].group, group->name);
		while ((clause = clause_next(clause))) {
			if (!clause_in_group(clause, group))
				continue;
			snprintf(id, sizeof(id), "%s-%02d", group->name,
				 ++number);
			EXPECT_STREQ(id, clause->id);
		}
		EXPECT_EQ(group_sizes[i].clauses, number);
	}
	EXPECT_EQ(ARRAY_SIZE(group_sizes), i);
}

TEST(letters_follow_their_clause_without_a_gap)
{
	const struct clause *clause = NULL;

	while ((clause = clause_next(clause))) {
		EXPECT_NE(1, clause->letters);
		EXPECT_EQ(NULL, clause_letter(clause, clause->letters));
		for (unsigned int i = 0; i < clause->letters; i++) {
			const struct clause *check = clause_letter(clause, i);
			char id[32];

			snprintf(id, sizeof(id), "%s.%c", clause->id, 'a' + i);
			EXPECT_STREQ(id, check->id);
			EXPECT_EQ(clause, check->whole);
			EXPECT_EQ(clause->source, check->source);
		}
	}
}

TEST(every_entry_is_complete)
{
	const struct clause *clause = NULL;

	while ((clause = clause_next(clause))) {
		EXPECT_TRUE(is_sentence(clause->text))
			TH_LOG("%s: %s", clause->id, clause->text);
		EXPECT_TRUE(clause->source && strlen(clause->source) > 8)
			TH_LOG("%s has no source", clause->id);
	}
	for (int i = 0; i < CLAUSE_COUNT; i++) {
		const struct clause *check = clause_get(i);

		EXPECT_TRUE(is_sentence(check->text))
			TH_LOG("%s: %s", check->id, check->text);
		EXPECT_NE(STRENGTH_NONE, check->strength);
		EXPECT_LT(check->party, PARTY_COUNT);
	}
}

/* What is only recorded says so, and nothing else does. */
TEST(texts_tell_may_from_must)
{
	for (int i = 0; i < CLAUSE_COUNT; i++) {
		const struct clause *check = clause_get(i);
		bool recorded = !strncmp(check->text, "Recorded: ", 10);

		EXPECT_EQ(check->strength == STRENGTH_MAY, recorded)
			TH_LOG("%s: %s", check->id, check->text);
	}
}

TEST(every_name_leads_to_its_entry)
{
	for (int i = 0; i < CLAUSE_COUNT; i++)
		EXPECT_EQ(clause_get(i), clause_find(clause_get(i)->id));

	EXPECT_EQ(clause_get(PIN_09), clause_find("pin_09"));
	EXPECT_EQ(clause_get(UAPI_08_a), clause_find("uapi-08.A"));
	EXPECT_STREQ("UAPI-08", clause_find("UAPI_08")->id);
	EXPECT_EQ(6, clause_find("UAPI_08")->letters);
	EXPECT_EQ(NULL, clause_find("UAPI-08.z"));
	EXPECT_EQ(NULL, clause_find("PIN-99"));
	EXPECT_EQ(NULL, clause_find("PIN-09.a"));
	EXPECT_EQ(NULL, clause_find(""));
	EXPECT_EQ(NULL, clause_find("PIN-09 and a long text after it"));
}

TEST(what_hangs_on_an_id_has_its_clause)
{
	const struct clause *clause = NULL;
	int whens = 0, disputes = 0;

	while ((clause = clause_next(clause))) {
		const struct clause_when *when = NULL;
		const char *dispute = clause_dispute(clause);

		while ((when = clause_when_next(clause, when))) {
			EXPECT_TRUE(is_sentence(when->text))
				TH_LOG("%s: %s", when->id, when->text);
			EXPECT_NE(EITHER, when->value);
			EXPECT_LE(when->strength, clause->strength);
			whens++;
		}
		EXPECT_TRUE(!dispute || is_sentence(dispute));
		disputes += !!dispute;
	}
	EXPECT_EQ(WHEN_COUNT, whens);
	EXPECT_EQ(DISPUTE_COUNT, disputes);
}

TEST(each_feature_of_the_law_decides_something)
{
	bool decides[LAW_COUNT] = { false };
	const struct clause *clause = NULL;

	while ((clause = clause_next(clause))) {
		const struct clause_when *when = NULL;

		while ((when = clause_when_next(clause, when)))
			decides[when->feature] = true;
	}
	for (int i = 0; i < LAW_COUNT; i++) {
		EXPECT_TRUE(decides[i])
			TH_LOG("no clause depends on %s", law_name(i));
	}
}

TEST(strength_follows_the_law)
{
	const struct clause *refusal = clause_get(ATT_07_a);
	const struct clause *unmap = clause_get(INV_04_a);
	struct law law = { 0 };

	law.value[LAW_NOTIFY_OPTIONAL] = YES;
	EXPECT_EQ(STRENGTH_NONE, clause_strength_under(refusal, &law));
	law.value[LAW_NOTIFY_OPTIONAL] = NO;
	EXPECT_EQ(STRENGTH_MUST, clause_strength_under(refusal, &law));

	law.value[LAW_UNMAP_BOUNDED] = YES;
	EXPECT_EQ(STRENGTH_MUST, clause_strength_under(unmap, &law));
	law.value[LAW_UNMAP_BOUNDED] = NO;
	EXPECT_EQ(STRENGTH_SHOULD, clause_strength_under(unmap, &law));
	EXPECT_EQ(STRENGTH_MUST, clause_strength_under(clause_get(PIN_09), &law));
}

TEST(an_unknown_feature_fails_nobody)
{
	const struct law unknown = { 0 };

	EXPECT_EQ(STRENGTH_NONE,
		  clause_strength_under(clause_get(ATT_07_a), &unknown));
	EXPECT_EQ(STRENGTH_NONE,
		  clause_strength_under(clause_get(ATT_07_b), &unknown));
	EXPECT_EQ(STRENGTH_SHOULD,
		  clause_strength_under(clause_get(INV_04_a), &unknown));
	EXPECT_EQ(STRENGTH_MUST,
		  clause_strength_under(clause_get(UAPI_02_a), &unknown));
}

/* An entry for a lettered clause counts for each of its checks. */
TEST(a_whole_clause_speaks_for_its_letters)
{
	const struct clause *clause = clause_find("UAPI-08");
	struct law law = { 0 };

	law.value[LAW_SYNC_FILE] = NO;
	for (unsigned int i = 0; i < clause->letters; i++)
		EXPECT_EQ(STRENGTH_NONE,
			  clause_strength_under(clause_letter(clause, i), &law));
}

TEST(a_verdict_tells_the_law_that_it_stands_on)
{
	json_t *law;

	setenv(LAW_VARIABLE, "notify_optional=yes,moves_while_mapped=no", 1);
	law = clause_law(ATT_07_a);
	ASSERT_EQ(1, json_array_size(law));
	EXPECT_STREQ("notify_optional=yes",
		     json_string_value(json_array_get(law, 0)));
	json_decref(law);
	law = clause_law(UAPI_02_a);
	EXPECT_EQ(0, json_array_size(law));
	json_decref(law);
	EXPECT_EQ(STRENGTH_NONE, clause_strength(ATT_07_a));
	EXPECT_EQ(STRENGTH_MUST, clause_strength(ATT_07_b));
}

/* What explain_unknown() says about @name; the caller frees it. */
static char *advice(const char *name)
{
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	explain_unknown(out, name);
	fclose(out);
	return text;
}

TEST(an_unknown_id_gets_advice)
{
	static const struct {
		const char *name;
		const char *advice;
	} cases[] = {
		{ "PN-08", "near to it: PIN-08\n" },
		{ "pin9", "near to it: PIN-09\n" },
		{ "PIN-99", "the last clause on pin and unpin is PIN-15\n" },
		{ "UAPI-08.z", "UAPI-08 has the checks a to f\n" },
		{ "PIN-09.a", "PIN-09 has no letters\n" },
		{ "", "--list lists them all\n" },
		{ "nothing like any of them, and very long as well",
		  "--list lists them all\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *text = advice(cases[i].name);

		EXPECT_NE(NULL, strstr(text, cases[i].advice))
			TH_LOG("%s: %s", cases[i].name, text);
		free(text);
	}
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0-only
/* Profiles of conformance: nothing that a driver must keep is in none of them. */
#include "kselftest_harness.h"

#include <string.h>

#include "clause/explain.h"
#include "clause/profile.h"

static bool is_in_any(const struct clause *clause)
{
	const struct profile *profile;

	for (size_t i = 0; (profile = profile_get(i)); i++)
		if (profile_asks(profile, clause))
			return true;
	return false;
}

static bool obliges_driver(const struct clause *clause)
{
	return clause->party == PARTY_EXPORTER ||
	       clause->party == PARTY_IMPORTER || clause->party == PARTY_NIC;
}

TEST(each_must_of_a_driver_is_in_a_profile_or_says_why_not)
{
	for (int i = 0; i < CLAUSE_COUNT; i++) {
		const struct clause *clause = clause_get(i);

		if (clause->strength != STRENGTH_MUST)
			continue;
		EXPECT_TRUE(is_in_any(clause) || profile_why_none(clause))
			TH_LOG("%s is in no profile, and nothing says why",
			       clause->id);
	}
}

TEST(nothing_else_is_in_a_profile)
{
	for (int i = 0; i < CLAUSE_COUNT; i++) {
		const struct clause *clause = clause_get(i);

		if (is_in_any(clause))
			EXPECT_TRUE(clause->strength == STRENGTH_MUST &&
				    obliges_driver(clause));
	}
}

/* Who must be what a peer alone is cannot be a driver. */
TEST(what_drivers_are_asked_for_is_not_excused)
{
	int excused = 0, asked = 0;

	for (int i = 0; i < CLAUSE_COUNT; i++) {
		const struct clause *clause = clause_get(i);

		if (clause->strength != STRENGTH_MUST || !obliges_driver(clause))
			continue;
		asked += is_in_any(clause);
		excused += profile_why_none(clause) != NULL;
	}
	EXPECT_GT(asked, 100);
	EXPECT_LT(excused, 10);
}

TEST(each_profile_has_clauses_that_no_profile_of_another_role_has)
{
	const struct profile *profile, *other;

	for (size_t i = 0; (profile = profile_get(i)); i++) {
		int own = 0;

		EXPECT_EQ(profile, profile_find(profile->name));
		for (int c = 0; c < CLAUSE_COUNT; c++)
			own += profile_asks(profile, clause_get(c));
		EXPECT_GT(own, 10) TH_LOG("%s: %d", profile->name, own);
		for (size_t j = 0; (other = profile_get(j)); j++)
			for (int c = 0; c < CLAUSE_COUNT; c++)
				if (other->role != profile->role)
					EXPECT_FALSE(profile_asks(profile, clause_get(c)) &&
						     profile_asks(other, clause_get(c)));
	}
	EXPECT_EQ(NULL, profile_find("importer"));
}

TEST(marks_keep_clauses_where_they_belong)
{
	const struct clause *pin = clause_find("PIN-04.a");

	EXPECT_FALSE(profile_asks(profile_find("exporter-static"), pin));
	EXPECT_TRUE(profile_asks(profile_find("exporter-dynamic"), pin));
	EXPECT_EQ(0, profile_condition(profile_find("exporter-dynamic"), pin->applies));
	EXPECT_EQ(CAP(EXPORTER_PIN_OP) | CAP(EXPORTER_MOVES),
		  profile_condition(profile_find("exporter-revocable"), pin->applies));
	EXPECT_FALSE(profile_asks(profile_find("importer-dynamic"), pin));
}

/* A MUST that a kind of driver can only skip would keep it from its profile. */
TEST(nobody_is_asked_for_what_only_others_can_show)
{
	static const struct {
		const char *profile, *clause;
		bool asked;
	} rows[] = {
		{ "importer-static", "MAP-01.b", true },
		{ "importer-pinned", "MAP-01.b", false },
		{ "importer-dynamic", "MAP-01.b", false },
		{ "importer-pinned", "MAP-07", true },
		{ "importer-dynamic", "MAP-07", false },
		{ "importer-dynamic", "FENCE-01.a", true },
		{ "importer-pinned", "FENCE-01.a", false },
	};
	capability_set device = clause_find("SGT-07.a")->applies &
				clause_find("P2P-03")->applies;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		EXPECT_EQ(rows[i].asked,
			  profile_asks(profile_find(rows[i].profile),
				       clause_find(rows[i].clause)))
			TH_LOG("%s, %s", rows[i].profile, rows[i].clause);
	}
	EXPECT_TRUE(profile_condition(profile_find("exporter-static"), device) &
		    CAP(EXPORTER_DEVICE_MEMORY));
}

TEST(what_a_peer_alone_has_no_driver_is_asked_for)
{
	const struct profile *profile;

	for (size_t i = 0; (profile = profile_get(i)); i++) {
		capability_set partner = profile->role == PARTY_EXPORTER ?
			NEEDS(IMPORTER_PEER, IMPORTER_NOTIFIED) :
			NEEDS(EXPORTER_PEER, EXPORTER_MOVES);
		capability_set peer = profile->role == PARTY_EXPORTER ?
			CAP(EXPORTER_PEER) : CAP(IMPORTER_PEER);

		EXPECT_TRUE(profile_takes(profile, partner));
		EXPECT_FALSE(profile_takes(profile, peer));
		EXPECT_TRUE(profile_takes(profile, profile->has));
	}
}

TEST(programs_are_told_the_same)
{
	struct coverage none = { 0 };
	json_t *all = explain_profiles_json(&none);
	json_t *profiles = json_object_get(all, "profiles");
	json_t *entry;
	size_t i;

	EXPECT_EQ(CLAUSE_TABLE_VERSION,
		  json_integer_value(json_object_get(all, "clause_table")));
	json_array_foreach(profiles, i, entry) {
		size_t own = 0;

		for (int c = 0; c < CLAUSE_COUNT; c++)
			own += profile_asks(profile_get(i), clause_get(c));
		EXPECT_EQ(own, json_array_size(json_object_get(entry, "clauses")));
	}
	EXPECT_EQ(NULL, profile_get(i));
	json_decref(all);
}

TEST_HARNESS_MAIN

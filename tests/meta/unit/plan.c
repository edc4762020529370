// SPDX-License-Identifier: GPL-2.0-only
/* Which cases are for which pairs, as the runners find out from plans and back ends. */
#include "kselftest_harness.h"

#include <jansson.h>

#include "stream/plan.h"
#include "stream/traits.h"

/* More words than there are numbers. */
#define MANY	(2 * TRAIT_WORDS)

FIXTURE(plan)
{
	json_t *plans;
	json_t *exporters;
	json_t *importers;
	struct plan_scope *scope;
	struct plan *plan;
};

FIXTURE_SETUP(plan)
{
	self->plans = json_pack("{s:[]}", "area");
	self->exporters = json_array();
	self->importers = json_array();
}

FIXTURE_TEARDOWN(plan)
{
	plan_scope_release(self->scope);
	json_decref(self->plans);
	json_decref(self->exporters);
	json_decref(self->importers);
}

/* "a b,c": what is between commas, as a JSON array. */
static json_t *words(const char *text)
{
	json_t *list = json_array();

	while (*text) {
		size_t length = strcspn(text, ",");

		json_array_append_new(list, json_stringn(text, length));
		text += length + (text[length] == ',');
	}
	return list;
}

static void add_case(FIXTURE_DATA(plan) *self, const char *name,
		     const char *needs, const char *parties)
{
	json_array_append_new(json_object_get(self->plans, "area"),
		json_pack("{s:s s:o s:o}", "case", name, "needs", words(needs),
			  "parties", words(parties)));
}

static void add_end(json_t *ends, const char *selector, bool ours,
		    const char *capabilities)
{
	json_array_append_new(ends, json_pack("{s:s s:b s:o}",
		"selector", selector, "ours", ours,
		"capabilities", words(capabilities)));
}

static void begin(FIXTURE_DATA(plan) *self)
{
	self->scope = plan_scope_make(self->plans, self->exporters,
				      self->importers, true);
	self->plan = plan_of(self->scope, "area");
}

static bool fits(FIXTURE_DATA(plan) *self, size_t number, size_t exporter,
		 size_t importer)
{
	return plan_case_fits(self->plan, number,
			      (struct plan_pair){ exporter, importer });
}

/* How many cases are to be run on a pair; -1 for all that fit. */
static int fresh(FIXTURE_DATA(plan) *self, size_t exporter, size_t importer)
{
	json_t *names = plan_fresh(self->plan,
				   (struct plan_pair){ exporter, importer });
	int count = names ? (int)json_array_size(names) : -1;

	json_decref(names);
	return count;
}

TEST_F(plan, each_need_is_asked_of_its_own_end)
{
	add_case(self, "both", "exporter maps,importer maps,importer one", "");
	add_end(self->exporters, "maps", false, "maps");
	add_end(self->exporters, "lacks", false, "one,moves");
	add_end(self->importers, "maps", false, "slow,one,maps");
	add_end(self->importers, "lacks", false, "maps");
	begin(self);

	EXPECT_TRUE(fits(self, 0, 0, 0));
	EXPECT_FALSE(fits(self, 0, 0, 1));
	EXPECT_FALSE(fits(self, 0, 1, 0));
	EXPECT_FALSE(fits(self, 0, 1, 1));
}

TEST_F(plan, cases_that_fit_are_counted)
{
	size_t count;

	add_case(self, "any", "", "");
	add_case(self, "maps", "importer maps", "");
	add_case(self, "moves", "exporter moves", "");
	add_end(self->exporters, "e", false, "");
	add_end(self->importers, "maps", false, "maps");
	json_object_set_new(self->plans, "none", json_array());
	begin(self);

	EXPECT_TRUE(plan_fits(self->plan, (struct plan_pair){ 0, 0 }, &count));
	EXPECT_EQ(2, count);
	EXPECT_FALSE(plan_fits(plan_of(self->scope, "none"),
			       (struct plan_pair){ 0, 0 }, &count));
	EXPECT_EQ(0, count);
}

TEST_F(plan, a_program_without_a_plan_fits)
{
	size_t count = 1;

	begin(self);
	EXPECT_EQ(NULL, plan_of(self->scope, "other"));
	EXPECT_TRUE(plan_fits(NULL, (struct plan_pair){ 0, 0 }, &count));
	EXPECT_EQ(0, count);
	EXPECT_EQ(NULL, plan_fresh(NULL, (struct plan_pair){ 0, 0 }));
}

TEST_F(plan, what_only_the_program_can_tell_counts_as_met)
{
	add_case(self, "self", "importer self", "");
	add_case(self, "nobody", "court jester", "");
	add_end(self->exporters, "e", false, "");
	add_end(self->importers, "i", false, "");
	begin(self);

	EXPECT_TRUE(fits(self, 0, 0, 0));
	EXPECT_TRUE(fits(self, 1, 0, 0));
}

TEST_F(plan, of_an_unwanted_importer_only_its_refusal_is_seen)
{
	add_case(self, "any", "importer attaches", "");
	add_case(self, "refused", "importer unwanted", "");
	add_end(self->exporters, "wants", false, "wants-p2p");
	add_end(self->exporters, "takes all", false, "");
	add_end(self->importers, "silent", false, "attaches,p2p");
	add_end(self->importers, "near", false, "attaches,notified");
	add_end(self->importers, "good", false, "attaches,notified,p2p");
	begin(self);

	for (size_t i = 0; i < 3; i++) {
		EXPECT_EQ(i == 2, fits(self, 0, 0, i)) TH_LOG("%zu", i);
		EXPECT_EQ(i < 2, fits(self, 1, 0, i)) TH_LOG("%zu", i);
		EXPECT_TRUE(fits(self, 0, 1, i)) TH_LOG("%zu", i);
		EXPECT_FALSE(fits(self, 1, 1, i)) TH_LOG("%zu", i);
	}
}

TEST_F(plan, of_an_unsuited_importer_only_that_is_seen)
{
	add_case(self, "any", "", "");
	add_case(self, "unsuited", "importer unsuited", "");
	add_end(self->exporters, "vfio", false, "vfio");
	add_end(self->exporters, "other", false, "");
	add_end(self->importers, "iommufd", false, "iommufd");
	begin(self);

	EXPECT_TRUE(fits(self, 0, 0, 0));
	EXPECT_FALSE(fits(self, 1, 0, 0));
	EXPECT_FALSE(fits(self, 0, 1, 0));
	EXPECT_TRUE(fits(self, 1, 1, 0));
}

/* No word is taken for another, however many there are. */
TEST_F(plan, words_without_a_number_count_as_met)
{
	const size_t numbered = TRAIT_WORDS - TRAITS_KNOWN;
	char need[32];

	for (size_t i = 0; i < MANY; i++) {
		snprintf(need, sizeof(need), "importer word-%zu", i);
		add_case(self, need, need, "");
	}
	add_end(self->exporters, "e", false, "");
	add_end(self->importers, "none", false, "");
	for (size_t i = 0; i < MANY; i++) {
		snprintf(need, sizeof(need), "word-%zu", i);
		add_end(self->importers, need, false, need);
	}
	begin(self);

	for (size_t i = 0; i < MANY; i++)
		for (size_t j = 0; j <= MANY; j++) {
			EXPECT_EQ(i >= numbered || j == i + 1,
				  fits(self, i, 0, j))
				TH_LOG("case %zu, importer %zu", i, j);
		}
}

TEST_F(plan, words_of_one_role_take_no_number_of_the_other)
{
	char need[32];

	for (size_t i = 0; i < MANY; i++) {
		snprintf(need, sizeof(need), "importer word-%zu", i);
		add_case(self, need, need, "");
	}
	add_case(self, "last", "exporter last", "");
	add_end(self->exporters, "none", false, "");
	add_end(self->importers, "none", false, "");
	begin(self);

	EXPECT_FALSE(fits(self, MANY, 0, 0));
}

/* What a case says beside its needs; for the last one added. */
static void say(FIXTURE_DATA(plan) *self, const char *word)
{
	json_t *cases = json_object_get(self->plans, "area");

	json_object_set_new(json_array_get(cases, json_array_size(cases) - 1),
			    word, json_true());
}

TEST_F(plan, self_test_of_peers_is_run_once)
{
	add_case(self, "judges_exporter", "", "exporter");
	add_case(self, "judges_both", "", "exporter,importer");
	add_end(self->exporters, "one", true, "");
	add_end(self->exporters, "two", true, "");
	add_end(self->exporters, "driver", false, "");
	add_end(self->importers, "one", true, "");
	add_end(self->importers, "two", true, "");
	begin(self);

	EXPECT_EQ(-1, fresh(self, 0, 0));
	EXPECT_EQ(0, fresh(self, 0, 1));
	EXPECT_EQ(0, fresh(self, 1, 0));
	EXPECT_EQ(-1, fresh(self, 2, 0));
}

/* Whoever judges the kernel's own code as well, judges no peer alone. */
TEST_F(plan, what_judges_the_kernel_besides_is_no_self_test)
{
	add_case(self, "both", "", "core,exporter");
	add_end(self->exporters, "one", true, "");
	add_end(self->exporters, "two", true, "");
	add_end(self->importers, "peer", true, "");
	begin(self);

	EXPECT_EQ(-1, fresh(self, 0, 0));
	EXPECT_EQ(-1, fresh(self, 1, 0));
}

TEST_F(plan, partner_without_part_in_the_outcome_is_there_once)
{
	add_case(self, "exporter", "exporter peer", "importer");
	say(self, "any_exporter");
	add_case(self, "importer", "", "exporter");
	say(self, "any_exporter");
	add_end(self->exporters, "one", true, "peer");
	add_end(self->exporters, "two", true, "peer");
	add_end(self->importers, "driver", false, "");
	add_end(self->importers, "another", false, "");
	begin(self);

	EXPECT_EQ(-1, fresh(self, 0, 0));
	EXPECT_EQ(0, fresh(self, 1, 0));
	EXPECT_EQ(1, fresh(self, 0, 1));
	EXPECT_EQ(0, fresh(self, 1, 1));
}

/* Of the kernel's own code each importer is to be there once, whoever exports. */
TEST_F(plan, each_other_end_is_there_once_for_the_kernel)
{
	add_case(self, "kernel", "", "core");
	say(self, "any_exporter");
	add_end(self->exporters, "one", false, "");
	add_end(self->exporters, "two", false, "");
	add_end(self->importers, "one", false, "");
	add_end(self->importers, "two", false, "");
	begin(self);

	EXPECT_EQ(-1, fresh(self, 0, 0));
	EXPECT_EQ(0, fresh(self, 1, 0));
	EXPECT_EQ(-1, fresh(self, 1, 1));
	EXPECT_EQ(0, fresh(self, 0, 1));
}

TEST_F(plan, partner_without_part_had_better_not_be_declined)
{
	add_case(self, "any", "", "importer");
	say(self, "any_exporter");
	add_end(self->exporters, "refuses", true, "refuses-pin");
	add_end(self->exporters, "takes all", true, "");
	add_end(self->importers, "pins", false, "attaches,pinned");
	begin(self);

	EXPECT_EQ(0, fresh(self, 0, 0));
	EXPECT_EQ(-1, fresh(self, 1, 0));
}

TEST_F(plan, self_test_of_a_peer_is_run_with_one_partner)
{
	add_case(self, "judges_exporter", "", "exporter");
	add_case(self, "judges_all", "", "all");
	add_end(self->exporters, "peer", true, "");
	add_end(self->importers, "one", true, "");
	add_end(self->importers, "two", true, "");
	begin(self);

	EXPECT_EQ(-1, fresh(self, 0, 0));
	EXPECT_EQ(1, fresh(self, 0, 1));
	EXPECT_EQ(0, fresh(self, 0, 1));
}

TEST_F(plan, self_test_waits_for_a_partner_that_is_not_declined)
{
	add_case(self, "judges_exporter", "", "exporter");
	add_end(self->exporters, "peer", true, "refuses-pin");
	add_end(self->importers, "pins", false, "attaches,notified,peer,pinned");
	add_end(self->importers, "does not", false, "attaches,notified,peer");
	begin(self);

	EXPECT_EQ(0, fresh(self, 0, 0));
	EXPECT_EQ(-1, fresh(self, 0, 1));
}

TEST_F(plan, self_test_does_not_wait_for_whom_it_does_not_fit)
{
	add_case(self, "judges_exporter", "importer pinned", "exporter");
	add_end(self->exporters, "peer", true, "refuses-pin");
	add_end(self->importers, "pins", false, "attaches,notified,peer,pinned");
	add_end(self->importers, "does not", false, "attaches,notified,peer");
	begin(self);

	EXPECT_EQ(-1, fresh(self, 0, 0));
}

TEST_F(plan, a_driver_is_judged_with_one_peer_unless_a_peer_is_needed)
{
	add_case(self, "any", "", "exporter");
	add_case(self, "peer", "importer peer", "exporter");
	add_end(self->exporters, "driver", false, "");
	add_end(self->importers, "peer", true, "peer");
	add_end(self->importers, "another", true, "peer");
	add_end(self->importers, "driver", false, "peer");
	begin(self);

	EXPECT_EQ(-1, fresh(self, 0, 0));
	EXPECT_EQ(1, fresh(self, 0, 1));
	EXPECT_EQ(-1, fresh(self, 0, 2));
}

/* Two at each end, none of them ours. */
static void begin_with_drivers(FIXTURE_DATA(plan) *self)
{
	add_end(self->exporters, "one", false, "");
	add_end(self->exporters, "two", false, "");
	add_end(self->importers, "one", false, "");
	add_end(self->importers, "two", false, "");
	begin(self);
}

TEST_F(plan, who_judges_no_end_or_all_is_run_until_each_was_there)
{
	add_case(self, "kernel", "", "core");
	add_case(self, "everyone", "", "all");
	begin_with_drivers(self);

	EXPECT_EQ(-1, fresh(self, 0, 0));
	EXPECT_EQ(-1, fresh(self, 0, 1));
	EXPECT_EQ(-1, fresh(self, 1, 0));
	/* Of two drivers, what all alike are judged by. */
	EXPECT_EQ(1, fresh(self, 1, 1));
}

/* A driver is no substitute for the peer whom a self-test judges. */
TEST_F(plan, self_test_waits_for_no_driver)
{
	add_case(self, "judges_exporter", "", "exporter");
	add_end(self->exporters, "refuses", true, "refuses-pin");
	add_end(self->exporters, "driver", false, "");
	add_end(self->importers, "pins", true, "attaches,pinned,peer");
	begin(self);

	EXPECT_EQ(-1, fresh(self, 0, 0));
	EXPECT_EQ(-1, fresh(self, 1, 0));
}

TEST_F(plan, who_judges_both_ends_is_run_with_each_partner)
{
	add_case(self, "both", "", "exporter,importer");
	begin_with_drivers(self);

	EXPECT_EQ(-1, fresh(self, 0, 0));
	EXPECT_EQ(-1, fresh(self, 0, 1));
	EXPECT_EQ(-1, fresh(self, 1, 0));
	EXPECT_EQ(-1, fresh(self, 1, 1));
}

/* Either end waits for a partner that is not declined, as long as there is one. */
TEST_F(plan, an_end_that_was_declined_was_not_there)
{
	add_case(self, "kernel", "", "core");
	add_end(self->exporters, "refuses", false, "refuses-pin");
	add_end(self->exporters, "takes all", false, "");
	add_end(self->importers, "pins", false, "attaches,notified,peer,pinned");
	add_end(self->importers, "does not", false, "attaches,notified,peer");
	begin(self);

	EXPECT_EQ(0, fresh(self, 0, 0));
	EXPECT_EQ(-1, fresh(self, 1, 0));
	EXPECT_EQ(0, fresh(self, 0, 0));
	EXPECT_EQ(-1, fresh(self, 0, 1));
}

TEST_F(plan, who_does_not_say_whom_it_judges_is_run_on_each_pair)
{
	add_case(self, "nobody", "", "");
	add_case(self, "each_pair", "", "exporter");
	say(self, "each_pair");
	add_end(self->exporters, "peer", true, "");
	add_end(self->importers, "one", true, "");
	add_end(self->importers, "two", true, "");
	begin(self);

	EXPECT_EQ(-1, fresh(self, 0, 0));
	EXPECT_EQ(-1, fresh(self, 0, 1));
}

TEST_F(plan, last_resort_is_for_who_has_nothing_else)
{
	const struct plan_pair first = { 0, 0 }, second = { 0, 1 };
	json_t *name;

	add_case(self, "void", "", "importer");
	say(self, "void");
	add_case(self, "self", "importer self", "importer");
	add_case(self, "maps", "importer maps", "importer");
	add_case(self, "any", "", "core");
	say(self, "last_resort");
	add_end(self->exporters, "e", false, "");
	add_end(self->importers, "one", false, "");
	add_end(self->importers, "maps", false, "maps");
	begin(self);

	EXPECT_TRUE(plan_speaks(self->plan, first, NULL));
	name = json_pack("[s]", "void");
	EXPECT_FALSE(plan_speaks(self->plan, first, name));
	json_decref(name);
	name = json_pack("[sss]", "void", "self", "maps");
	EXPECT_FALSE(plan_speaks(self->plan, first, name));
	EXPECT_TRUE(plan_speaks(self->plan, second, name));
	json_decref(name);
	EXPECT_STREQ("any", json_string_value(plan_last_resort(self->plan, first)));
	EXPECT_TRUE(plan_speaks(NULL, first, NULL));
	EXPECT_EQ(NULL, plan_last_resort(NULL, first));
}

TEST_HARNESS_MAIN

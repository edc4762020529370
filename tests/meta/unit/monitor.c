// SPDX-License-Identifier: GPL-2.0-only
/* How the monitor judges calls: it is fed with calls that were made up. */
#include "kselftest_harness.h"

#include <stdlib.h>

#include "clause/law.h"
#include "monitor/findings.h"
#include "monitor/left.h"
#include "monitor/name.h"
#include "monitor/outcome.h"
#include "monitor/symbols.h"
#include "life.h"

static __u64 detach(life *self)
{
	bool owned = self->call.owns;
	__u64 broken;

	self->call.owns = false;
	broken = follow_detach(self->law, &self->attachment, &self->tally,
			       &self->call, BUFFER);
	self->call.owns = owned;
	return broken;
}

TEST_F(life, a_whole_one_breaks_nothing)
{
	ASSERT_EQ(0, pin(self, 0));
	ASSERT_EQ(0, map(self, 0x1000, 0));
	ASSERT_EQ(0, map(self, 0x2000, 1));
	ASSERT_EQ(0, unmap(self, 0x1000, 0));
	ASSERT_EQ(0, unmap(self, 0x2000, 1));
	ASSERT_EQ(0, unpin(self));
	ASSERT_EQ(0, detach(self));
	ASSERT_EQ(1, self->tally.checked[WATCH_PIN_02_a]);
	ASSERT_EQ(4, self->tally.checked[WATCH_MAP_01_a]);
	ASSERT_EQ(2, self->tally.checked[WATCH_MAP_03_b]);
	ASSERT_EQ(1, self->tally.checked[WATCH_LIFE_04_a]);
}

TEST_F(life, each_call_wants_its_lock)
{
	self->call.owns = false;
	ASSERT_EQ(BIT_OF(PIN_02_a) | BIT_OF(LOCK_01_a), pin(self, 0));
	ASSERT_EQ(BIT_OF(MAP_01_a) | BIT_OF(LOCK_01_b), map(self, 1, 0));
	ASSERT_EQ(BIT_OF(MAP_01_a) | BIT_OF(LOCK_01_b), unmap(self, 1, 0));
	ASSERT_EQ(BIT_OF(PIN_02_b) | BIT_OF(LOCK_01_a), unpin(self));
	ASSERT_EQ(BIT_OF(LOCK_03), follow_notify(self->law, &self->tally,
						 &self->call));
}

TEST_F(life, a_lock_that_cannot_be_read_is_not_judged)
{
	struct watch_law blind = newest;

	blind.owner_readable = false;
	self->law = &blind;
	self->call.owns = false;
	ASSERT_EQ(0, pin(self, 0));
	ASSERT_EQ(0, self->tally.checked[WATCH_PIN_02_a]);
}

TEST_F(life, detach_comes_without_the_lock)
{
	ASSERT_EQ(BIT_OF(LOCK_02_b),
		  follow_detach(self->law, &self->attachment, &self->tally,
				&self->call, BUFFER));
}

TEST_F(life, detach_names_the_buffer)
{
	self->call.owns = false;
	ASSERT_EQ(BIT_OF(LIFE_05),
		  follow_detach(self->law, &self->attachment, &self->tally,
				&self->call, 0));
}

TEST_F(life, two_static_sides_need_the_lock_where_the_kernel_says_so)
{
	become(self, 0);
	self->call.owns = false;
	self->law = &oldest;
	ASSERT_EQ(0, map(self, 1, 0));
	self->law = &newest;
	ASSERT_EQ(BIT_OF(MAP_01_b) | BIT_OF(LOCK_01_b), unmap(self, 1, 0));
}

TEST_F(life, what_is_left_at_detach_is_told)
{
	pin(self, 0);
	map(self, 1, 0);
	ASSERT_EQ(BIT_OF(LIFE_04_a) | BIT_OF(LIFE_04_b) | BIT_OF(PIN_03_a) |
		  BIT_OF(LIFE_03_a), detach(self));
}

TEST_F(life, of_what_is_older_than_the_monitor_no_balance_is_judged)
{
	become(self, self->call.facts | WATCH_ADOPTED);
	ASSERT_EQ(0, unpin(self));
	ASSERT_EQ(0, unmap(self, 1, 0));
	map(self, 1, 0);
	ASSERT_EQ(0, detach(self));
}

TEST_F(life, an_unpin_too_many_is_told_by_what_came_before)
{
	pin(self, 0);
	unpin(self);
	ASSERT_EQ(BIT_OF(PIN_03_a), unpin(self));
	pin(self, -95);
	ASSERT_EQ(0, self->attachment.pins);
	ASSERT_EQ(BIT_OF(PIN_03_b), unpin(self));
}

TEST_F(life, a_failed_pin_without_unpin_is_kept)
{
	pin(self, -95);
	ASSERT_EQ(0, detach(self));
	ASSERT_EQ(1, self->tally.checked[WATCH_PIN_03_b]);
}

TEST_F(life, only_the_dynamic_pin)
{
	become(self, WATCH_PINNABLE);
	ASSERT_EQ(BIT_OF(PIN_01), pin(self, 0));
}

TEST_F(life, the_core_unpins_within_unmap_where_a_mapping_pins)
{
	self->law = &oldest;
	map(self, 1, 0);
	ASSERT_EQ(0, unmap(self, 1, 0));
	ASSERT_EQ(0, unpin(self));
	ASSERT_EQ(0, self->tally.checked[WATCH_PIN_02_b]);
	follow_unmapped(&self->attachment);
	ASSERT_EQ(BIT_OF(PIN_03_a), unpin(self));
}

TEST_F(life, unmap_names_what_was_mapped)
{
	map(self, 1, 0);
	ASSERT_EQ(BIT_OF(MAP_03_a), unmap(self, 2, 0));
	ASSERT_EQ(BIT_OF(MAP_03_b), unmap(self, 1, 1));
	ASSERT_EQ(BIT_OF(MAP_03_a), unmap(self, 1, 0));
}

TEST_F(life, one_table_in_two_directions_is_two_mappings)
{
	map(self, 1, 0);
	map(self, 1, 1);
	ASSERT_EQ(0, unmap(self, 1, 1));
	ASSERT_EQ(0, unmap(self, 1, 0));
}

TEST_F(life, more_mappings_than_are_told_apart_are_counted)
{
	for (int i = 1; i <= WATCH_MAPPINGS + 1; i++)
		ASSERT_EQ(0, map(self, i, 0));
	ASSERT_EQ(0, unmap(self, WATCH_MAPPINGS + 1, 0));
	ASSERT_EQ(WATCH_MAPPINGS, self->attachment.mapped);
	ASSERT_EQ(BIT_OF(LIFE_04_a) | BIT_OF(LIFE_03_a), detach(self));
}

TEST_F(life, the_silent_stay_pinned_while_they_have_a_mapping)
{
	become(self, WATCH_DYNAMIC | WATCH_PINNABLE);
	/* Whether they may map without a pin at all is disputed. */
	ASSERT_EQ(0, map(self, 1, 0));
	ASSERT_EQ(1, self->tally.loose_maps);
	unmap(self, 1, 0);
	pin(self, 0);
	ASSERT_EQ(0, map(self, 1, 0));
	ASSERT_EQ(1, self->tally.loose_maps);
	ASSERT_EQ(BIT_OF(MAP_07) | BIT_OF(LIFE_03_a), unpin(self));
}

TEST_F(life, the_told_may_map_without_a_pin)
{
	pin(self, 0);
	map(self, 1, 0);
	ASSERT_EQ(0, unpin(self));
	ASSERT_EQ(0, self->tally.checked[WATCH_MAP_07]);
}

TEST_F(life, a_mapping_outlives_a_notice_by_the_bound_at_most)
{
	map(self, 1, 0);
	map(self, 2, 0);
	tell(self);
	self->call.now_ns += BOUND_NS;
	/* A second notice does not give more time. */
	tell(self);
	ASSERT_EQ(0, unmap(self, 1, 0));
	self->call.now_ns++;
	ASSERT_EQ(BIT_OF(INV_04_a), unmap(self, 2, 0));
	ASSERT_EQ(BOUND_NS + 1, self->attachment.late_ns);
	/* What is mapped after the notice is not meant by it. */
	map(self, 3, 0);
	self->call.now_ns += 2 * BOUND_NS;
	ASSERT_EQ(0, unmap(self, 3, 0));
}

/* It may be a revoke, on which nothing is written there. */
TEST_F(life, a_notice_to_the_pinned_is_recorded_on_old_kernels)
{
	pin(self, 0);
	tell(self);
	ASSERT_EQ(0, self->tally.pinned_notices);
	self->law = &oldest;
	tell(self);
	ASSERT_EQ(1, self->tally.pinned_notices);
	unpin(self);
	tell(self);
	ASSERT_EQ(1, self->tally.pinned_notices);
}

TEST_F(life, size_and_reservation_stay)
{
	tell(self);
	self->call.size = 4096;
	ASSERT_EQ(BIT_OF(EXP_04_b), map(self, 1, 0));
	self->call.size = 8192;
	self->call.resv++;
	ASSERT_EQ(BIT_OF(LOCK_08_a), map(self, 2, 0));
	unmap(self, 1, 0);
	unmap(self, 2, 0);
	ASSERT_EQ(BIT_OF(LOCK_08_a), detach(self));
}

TEST_F(life, a_callback_leaves_the_list_alone)
{
	struct watch_buffer buffer = { .notifying = TASK + 1 };

	ASSERT_EQ(0, follow_list(&buffer, &self->tally, &self->call));
	buffer.notifying = TASK;
	ASSERT_EQ(BIT_OF(REV_09),
		  follow_list(&buffer, &self->tally, &self->call));
}

TEST_F(life, a_table_covers_whole_pages_of_the_buffer)
{
	struct watch_tally *tally = &self->tally;

	ASSERT_EQ(0, follow_table(tally, 8192, 8192, false, false, 4096));
	ASSERT_EQ(0, follow_table(tally, 8000, 8192, false, false, 4096));
	ASSERT_EQ(BIT_OF(SGT_02_a),
		  follow_table(tally, 8192, 4096, false, false, 4096));
	ASSERT_EQ(BIT_OF(SGT_02_b),
		  follow_table(tally, 8192, 12288, false, false, 4096));
	ASSERT_EQ(BIT_OF(SGT_01_a),
		  follow_table(tally, 8192, 8192, true, false, 4096));
	ASSERT_EQ(BIT_OF(SGT_01_b),
		  follow_table(tally, 8192, 8192, false, true, 4096));
}

static const struct outcome_loss nothing_lost;

static enum verdict verdict_of(enum watch_check check, __u64 checked,
			       __u64 broken, const struct outcome_loss *loss)
{
	struct watch_tally tally = { };
	struct outcome outcome;

	tally.checked[check] = checked;
	tally.broken[check] = broken;
	outcome_judge(check, &tally, loss, &outcome);
	return outcome.verdict;
}

TEST(what_never_happened_is_no_pass)
{
	setenv(LAW_VARIABLE, "", 1);
	ASSERT_EQ(VERDICT_SKIP, verdict_of(WATCH_PIN_02_a, 0, 0, &nothing_lost));
	ASSERT_EQ(VERDICT_PASS, verdict_of(WATCH_PIN_02_a, 3, 0, &nothing_lost));
	ASSERT_EQ(VERDICT_FAIL, verdict_of(WATCH_PIN_02_a, 3, 1, &nothing_lost));
	ASSERT_EQ(VERDICT_WARN, verdict_of(WATCH_EXP_06, 3, 1, &nothing_lost));
}

TEST(what_is_left_open_is_recorded_in_the_words_of_tests)
{
	struct watch_tally tally = { .checked[WATCH_PIN_06_b] = 2 };
	struct outcome outcome;

	setenv(LAW_VARIABLE, "", 1);
	outcome_judge(WATCH_PIN_06_b, &tally, &nothing_lost, &outcome);
	ASSERT_EQ(VERDICT_VALUE, outcome.verdict);
	ASSERT_STREQ("pin kept the place", outcome.reason);
	tally.broken[WATCH_PIN_06_b] = 2;
	outcome_judge(WATCH_PIN_06_b, &tally, &nothing_lost, &outcome);
	ASSERT_EQ(VERDICT_VALUE, outcome.verdict);
	ASSERT_STREQ("pin moved the storage", outcome.reason);
	tally.broken[WATCH_PIN_06_b] = 1;
	outcome_judge(WATCH_PIN_06_b, &tally, &nothing_lost, &outcome);
	ASSERT_STREQ("pin kept the place, and moved the storage at other times",
		     outcome.reason);
	ASSERT_EQ(VERDICT_SKIP, verdict_of(WATCH_PIN_06_b, 0, 0, &nothing_lost));
}

/* One that is not followed is not judged; one of which a call is missing is. */
TEST(what_was_lost_spoils_a_pass_and_missed_calls_what_rests_on_them)
{
	const struct outcome_loss calls = { .unknown = 1 };
	const struct outcome_loss histories = { .histories = 1 };

	setenv(LAW_VARIABLE, "", 1);
	ASSERT_EQ(VERDICT_ERROR, verdict_of(WATCH_PIN_02_a, 3, 0, &calls));
	ASSERT_EQ(VERDICT_FAIL, verdict_of(WATCH_PIN_02_a, 3, 1, &calls));
	ASSERT_EQ(VERDICT_ERROR, verdict_of(WATCH_PIN_03_a, 3, 1, &calls));
	ASSERT_EQ(VERDICT_PASS, verdict_of(WATCH_PIN_02_a, 3, 0, &histories));
	ASSERT_EQ(VERDICT_ERROR, verdict_of(WATCH_PIN_03_a, 3, 0, &histories));
	ASSERT_EQ(VERDICT_ERROR, verdict_of(WATCH_PIN_06_b, 3, 0, &histories));
	ASSERT_EQ(VERDICT_ERROR, verdict_of(WATCH_PIN_06_b, 3, 1, &calls));
	ASSERT_EQ(VERDICT_FAIL, verdict_of(WATCH_PIN_03_a, 3, 1, &histories));
	ASSERT_EQ(VERDICT_SKIP, verdict_of(WATCH_PIN_03_a, 0, 0, &histories));
}

/* By types of another kernel what seems to be broken says as little as what is kept. */
TEST(strange_types_spoil_all_that_was_looked_at)
{
	const struct outcome_loss strange = { .strange = 1 };

	setenv(LAW_VARIABLE, "", 1);
	for (int check = 0; check < WATCH_COUNT; check++) {
		enum verdict without = verdict_of(check, 3, 0, &nothing_lost);

		if (without == VERDICT_SKIP)
			continue;
		EXPECT_EQ(VERDICT_ERROR, verdict_of(check, 3, 0, &strange));
		EXPECT_EQ(VERDICT_ERROR, verdict_of(check, 3, 1, &strange));
		EXPECT_EQ(VERDICT_SKIP, verdict_of(check, 0, 0, &strange));
	}
}

/* How to come to know of an attachment is in all; how it goes in what remembers. */
TEST(a_missed_call_spoils_only_what_rests_on_such_calls)
{
	const struct outcome_loss unlocks = { .calls[WATCH_FN_UNLOCK] = 1 };
	const struct outcome_loss pins = { .calls[WATCH_FN_PIN] = 1 };
	const struct outcome_loss attaches = { .calls[WATCH_FN_ATTACH] = 1 };
	const struct outcome_loss detaches = { .calls[WATCH_FN_DETACH] = 1 };

	setenv(LAW_VARIABLE, "", 1);
	ASSERT_EQ(VERDICT_ERROR, verdict_of(WATCH_LOCK_05_a, 3, 0, &unlocks));
	ASSERT_EQ(VERDICT_PASS, verdict_of(WATCH_PIN_02_a, 3, 0, &unlocks));
	ASSERT_EQ(VERDICT_FAIL, verdict_of(WATCH_PIN_03_a, 3, 1, &unlocks));
	ASSERT_EQ(VERDICT_ERROR, verdict_of(WATCH_PIN_02_a, 3, 0, &pins));
	ASSERT_EQ(VERDICT_ERROR, verdict_of(WATCH_PIN_03_a, 3, 1, &pins));
	ASSERT_EQ(VERDICT_ERROR, verdict_of(WATCH_LIFE_04_b, 3, 0, &pins));
	ASSERT_EQ(VERDICT_ERROR, verdict_of(WATCH_LIFE_03_a, 3, 1, &pins));
	ASSERT_EQ(VERDICT_ERROR, verdict_of(WATCH_PIN_08_a, 3, 1, &pins));
	ASSERT_EQ(VERDICT_FAIL, verdict_of(WATCH_LIFE_04_a, 3, 1, &pins));
	ASSERT_EQ(VERDICT_PASS, verdict_of(WATCH_MAP_01_a, 3, 0, &pins));
	for (int check = 0; check < WATCH_COUNT; check++)
		if (verdict_of(check, 3, 0, &nothing_lost) == VERDICT_PASS)
			EXPECT_EQ(VERDICT_ERROR,
				  verdict_of(check, 3, 0, &attaches));
	ASSERT_EQ(VERDICT_PASS, verdict_of(WATCH_MAP_01_a, 3, 0, &detaches));
	ASSERT_EQ(VERDICT_ERROR, verdict_of(WATCH_MAP_03_a, 3, 1, &detaches));
}

TEST(a_finding_is_kept_for_each_check_up_to_a_limit)
{
	static struct findings findings;
	struct watch_event event = {
		.broken = BIT_OF(PIN_02_a) | BIT_OF(LOCK_01_a),
		.function = WATCH_FN_PIN,
	};

	for (int i = 0; i < FINDINGS_EACH + 1; i++)
		findings_add(&findings, &event);
	ASSERT_EQ(FINDINGS_EACH, findings.counts[WATCH_PIN_02_a]);
	ASSERT_EQ(FINDINGS_EACH, findings.counts[WATCH_LOCK_01_a]);
	ASSERT_EQ(0, findings.counts[WATCH_MAP_03_a]);
	ASSERT_STREQ("pin", findings_function(WATCH_FN_PIN));
}

TEST(what_is_left_is_told_by_process_and_what_is_overdue_by_pair)
{
	struct watch_attachment attachment = {
		.tgid = 1, .pins = 1, .mapped = 1, .size = 4096, .pair = 3,
		.comm = "some",
		.mappings[2] = { .table = 1, .told_ns = 10 },
	};
	struct left left = { .now_ns = 11 + BOUND_NS, .bound_ns = BOUND_NS };

	left_add(&left, 1, &attachment);
	left_add(&left, 2, &attachment);
	ASSERT_EQ(1, left.count);
	ASSERT_EQ(2, left.processes[0].pins);
	ASSERT_EQ(8192, left.processes[0].bytes);
	ASSERT_EQ(2, left.overdue[3]);
	left.now_ns--;
	left_add(&left, 3, &attachment);
	ASSERT_EQ(2, left.overdue[3]);
}

TEST(a_name_of_any_bytes_can_be_recorded)
{
	char cut[] = "gr\xc3\xb6\xc3", line[] = "gr\xc3\xb6\nok 1";
	struct watch_attachment attachment = { .comm = "a\xff" };
	struct watch_pair pair = { .exporter = "e\xff", .device = "d\xff",
				   .driver = "i\xff" };
	struct watch_event event = { .broken = BIT_OF(PIN_02_a),
				     .comm = "f\xff" };
	static struct findings findings;
	struct left left = { };
	struct outcome_ends ends;

	name_clean(cut);
	ASSERT_STREQ("gr???", cut);
	name_clean(line);
	ASSERT_STREQ("gr\xc3\xb6?ok 1", line);
	outcome_name_ends(&pair, &ends);
	ASSERT_STREQ("e?", ends.exporter);
	ASSERT_STREQ("e?", ends.exporter_driver);
	ASSERT_STREQ("d?", ends.device);
	ASSERT_STREQ("i?", ends.importer);
	left_add(&left, 1, &attachment);
	ASSERT_STREQ("a?", left.processes[0].comm);
	findings_add(&findings, &event);
	ASSERT_STREQ("f?", findings.events[WATCH_PIN_02_a][0].comm);
}

TEST(addresses_have_names)
{
	static const char listing[] =
		"ffffffff81000010 T second\n"
		"ffffffff81000000 T first\n"
		"0000000000000000 A nothing\n"
		"ffffffffc0000000 t inside\t[some_module]\n"
		"ffffffffc0200000 t bpf_prog_x\t[bpf]\n";
	char path[] = "/tmp/symbols.XXXXXX", name[SYMBOL_SIZE];
	FILE *file = fdopen(mkstemp(path), "w");

	ASSERT_NE(NULL, file);
	fputs(listing, file);
	fclose(file);
	ASSERT_EQ(0, symbol_read(path));
	unlink(path);
	symbol_name(0xffffffff8100000f, name, sizeof(name));
	ASSERT_STREQ("first+0xf", name);
	symbol_name(0xffffffffc0000004, name, sizeof(name));
	ASSERT_STREQ("inside+0x4 [some_module]", name);
	symbol_module(0xffffffffc0000004, name, sizeof(name));
	ASSERT_STREQ("some_module", name);
	ASSERT_TRUE(symbol_is_frame(0xffffffff81000004));
	ASSERT_FALSE(symbol_is_frame(0xffffffffc0200004));
}

TEST_HARNESS_MAIN

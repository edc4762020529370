// SPDX-License-Identifier: GPL-2.0-only
/* How the monitor judges where storage is, and what moves it. */
#include "life.h"

TEST_F(life, storage_stays_under_a_pin)
{
	pin(self, 0);
	self->call.place = 0x1000;
	map(self, 1, 0);
	unmap(self, 1, 0);
	self->call.place = 0x2000;
	ASSERT_EQ(BIT_OF(PIN_04_a), map(self, 2, 0));
}

TEST_F(life, storage_moves_from_under_a_mapping_only_with_a_notice)
{
	self->call.place = 0x1000;
	map(self, 1, 0);
	tell(self);
	self->call.place = 0x2000;
	ASSERT_EQ(0, map(self, 2, 0));
	self->call.place = 0x3000;
	ASSERT_EQ(BIT_OF(INV_01_a), map(self, 3, 0));
	become(self, 0);
	self->call.place = 0x4000;
	ASSERT_EQ(BIT_OF(MAP_04_b), map(self, 4, 0));
}

TEST_F(life, storage_may_move_while_nobody_holds_it)
{
	self->call.place = 0x1000;
	map(self, 1, 0);
	unmap(self, 1, 0);
	self->call.place = 0x2000;
	ASSERT_EQ(0, map(self, 2, 0));
	/* Where it lies is not always told. */
	self->call.place = 0;
	ASSERT_EQ(0, map(self, 3, 0));
}

/* It is told by whoever maps next, if it was not by who had it mapped. */
TEST_F(life, a_move_shows_when_another_maps)
{
	self->other = self->attachment;
	map_at(self, 0x1000);
	self->other.place = 0x1000;
	self->other.mapped = 1;
	unmap(self, 1, 0);
	ASSERT_EQ(BIT_OF(INV_01_a), map_at(self, 0x2000));
	self->other.place = 0x2000;
	self->other.facts &= ~WATCH_TOLD;
	unmap(self, 1, 0);
	ASSERT_EQ(BIT_OF(MAP_04_b), map_at(self, 0x3000));
	self->other.place = 0x3000;
	self->other.pins = 1;
	unmap(self, 1, 0);
	ASSERT_EQ(BIT_OF(PIN_04_a), map_at(self, 0x4000));
	/* Once told of is enough. */
	unmap(self, 1, 0);
	ASSERT_EQ(0, map_at(self, 0x5000));
}

TEST_F(life, a_notice_is_delivered_if_the_storage_then_moved)
{
	map_at(self, 0x1000);
	tell(self);
	unmap(self, 1, 0);
	ASSERT_EQ(0, map_at(self, 0x1000));
	ASSERT_EQ(0, self->tally.checked[WATCH_INV_01_a]);
	tell(self);
	unmap(self, 1, 0);
	ASSERT_EQ(0, map_at(self, 0x2000));
	ASSERT_EQ(1, self->tally.checked[WATCH_INV_01_a]);
	ASSERT_EQ(1, self->tally.checked[WATCH_INV_08]);
}

TEST_F(life, a_pin_leaves_the_storage_where_it_is_or_moves_it)
{
	const struct watch_tally *tally = &self->tally;

	map_at(self, 0x1000);
	unmap(self, 1, 0);
	pin(self, 0);
	map_at(self, 0x1000);
	ASSERT_EQ(1, tally->checked[WATCH_PIN_06_b]);
	ASSERT_EQ(0, tally->broken[WATCH_PIN_06_b]);
	unmap(self, 1, 0);
	unpin(self);
	/* It says so by a notice. */
	storage_pin(&self->storage, &self->call);
	tell(self);
	storage_pinned(&self->storage, &self->tally, &self->call);
	ASSERT_EQ(1, tally->broken[WATCH_PIN_06_b]);
	storage_unpinned(&self->storage, 1);
	/* Or it shows. */
	map_at(self, 0x2000);
	unmap(self, 1, 0);
	pin(self, 0);
	map_at(self, 0x3000);
	ASSERT_EQ(2, tally->broken[WATCH_PIN_06_b]);
	unmap(self, 1, 0);
	unpin(self);
	/* Who moved it is not known where it was told of a move before. */
	tell(self);
	pin(self, 0);
	map_at(self, 0x4000);
	ASSERT_EQ(2, tally->broken[WATCH_PIN_06_b]);
	ASSERT_EQ(4, tally->checked[WATCH_PIN_06_b]);
}

TEST_F(life, after_the_last_unpin_the_storage_can_move)
{
	ASSERT_EQ(0, ask(self, 0, -EBUSY, false));
	pin(self, 0);
	ASSERT_EQ(0, ask(self, 0, -EBUSY, false));
	ASSERT_EQ(1, self->tally.checked[WATCH_PIN_04_a]);
	ASSERT_EQ(BIT_OF(PIN_04_a), ask(self, 1, 0, false));
	/* It was where it was wanted, as nobody was told. */
	ASSERT_EQ(0, ask(self, 0, 0, false));
	unpin(self);
	ASSERT_EQ(0, ask(self, 0, -EBUSY, true));
	ASSERT_EQ(BIT_OF(PIN_08_a), ask(self, 0, -EBUSY, false));
	ASSERT_EQ(0, ask(self, 0, -ENOMEM, false));
	ASSERT_EQ(1, self->tally.checked[WATCH_PIN_08_a]);
	ASSERT_EQ(0, ask(self, 1, 0, false));
	ASSERT_EQ(2, self->tally.checked[WATCH_PIN_08_a]);
}

/* It need not be so at the moment when the exporter is asked. */
TEST_F(life, who_pinned_meanwhile_may_be_why_it_does_not_move)
{
	pin(self, 0);
	unpin(self);
	storage_asked(&self->storage, &self->call);
	pin(self, 0);
	unpin(self);
	self->call.result = -EBUSY;
	ASSERT_EQ(0, storage_answered(&self->storage, &self->tally, &self->call,
				      false));
	/* Nor is it known what was answered to which of two. */
	self->call.result = 0;
	storage_asked(&self->storage, &self->call);
	self->call.task++;
	storage_asked(&self->storage, &self->call);
	self->call.task--;
	self->call.result = -EBUSY;
	ASSERT_EQ(0, storage_answered(&self->storage, &self->tally, &self->call,
				      false));
}

TEST_F(life, what_may_hold_the_storage)
{
	struct watch_attachment *attachment = &self->attachment;

	ASSERT_FALSE(storage_is_held(&newest, attachment));
	attachment->mapped = 1;
	ASSERT_FALSE(storage_is_held(&newest, attachment));
	ASSERT_TRUE(storage_is_held(&oldest, attachment));
	attachment->facts = WATCH_DYNAMIC;
	ASSERT_TRUE(storage_is_held(&newest, attachment));
	attachment->mapped = 0;
	ASSERT_FALSE(storage_is_held(&newest, attachment));
	attachment->pins = 1;
	ASSERT_TRUE(storage_is_held(&newest, attachment));
	attachment->pins = 0;
	attachment->facts = 0;
	ASSERT_TRUE(storage_is_held(&newest, attachment));
}

TEST_F(life, after_the_last_unpin_a_move_is_told_of)
{
	pin(self, 0);
	map_at(self, 0x1000);
	unpin(self);
	ASSERT_EQ(BIT_OF(PIN_08_b) | BIT_OF(INV_01_a), map_at(self, 0x2000));
	/* That was the one after the unpin. */
	ASSERT_EQ(BIT_OF(INV_01_a), map_at(self, 0x3000));
	pin(self, 0);
	unpin(self);
	tell(self);
	ASSERT_EQ(0, map_at(self, 0x4000));
	ASSERT_EQ(2, self->tally.checked[WATCH_PIN_08_b]);
}

TEST_F(life, a_map_after_a_move_gives_the_new_place)
{
	map_at(self, 0x1000);
	ask(self, 1, 0, false);
	ASSERT_EQ(BIT_OF(INV_08), map_at(self, 0x1000));
	ask(self, 1, 0, false);
	ASSERT_EQ(0, map_at(self, 0x2000));
	/* It is there again, or was not moved. */
	ask(self, 2, 0, false);
	ASSERT_EQ(0, map_at(self, 0x2000));
	ask(self, 1, -ENOMEM, false);
	ASSERT_EQ(0, map_at(self, 0x2000));
	tell(self);
	ASSERT_EQ(0, map_at(self, 0x2000));
	ask(self, 0, 0, false);
	ASSERT_EQ(0, map_at(self, 0x2000));
}

TEST_HARNESS_MAIN

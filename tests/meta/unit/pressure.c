// SPDX-License-Identifier: GPL-2.0-only
/* When pressure has moved something, and when it gives up, on a memory that is made up. */
#include "kselftest_harness.h"

#include <errno.h>

#include "exporter/pressure.h"

#define NEVER	1000

/* Steps are counted from 0. */
struct memory {
	int room;		/* steps that gain something */
	int leaves_after;	/* so many steps the storage leaves */
	int fails_at;		/* this step fails */
	int error;
	int chance;		/* this step gains nothing, by chance */
	int late_at;
	int lost_at;		/* then nobody knows where it is */
	int steps;
};

static int is_there(void *context)
{
	const struct memory *memory = context;

	if (memory->steps == memory->lost_at)
		return -ENODATA;
	return memory->steps < memory->leaves_after;
}

static int64_t take(void *context)
{
	struct memory *memory = context;
	int step = memory->steps++;

	if (step == memory->fails_at)
		return memory->error;
	if (step == memory->chance)
		return 0;
	return step < memory->room ? 4096 : 0;
}

static bool is_late(void *context)
{
	const struct memory *memory = context;

	return memory->steps == memory->late_at;
}

static const struct pressure_ops ops = {
	.is_there = is_there,
	.take = take,
	.is_late = is_late,
};

/* Of which there is no end, and where the storage stays. */
static const struct memory endless = {
	.room = NEVER, .leaves_after = NEVER, .fails_at = NEVER,
	.chance = NEVER, .late_at = NEVER, .lost_at = NEVER,
};

static int press(struct memory *memory)
{
	memory->steps = 0;
	return pressure_evict(&ops, memory);
}

TEST(what_leaves_has_moved)
{
	struct memory memory = endless;

	memory.leaves_after = 7;
	ASSERT_EQ(0, press(&memory));
	ASSERT_EQ(7, memory.steps);
	memory.room = 6;
	ASSERT_EQ(0, press(&memory));
	ASSERT_EQ(7, memory.steps);
	memory.leaves_after = 0;
	ASSERT_EQ(0, press(&memory));
	ASSERT_EQ(0, memory.steps);
}

TEST(what_stays_when_the_memory_is_full_is_held)
{
	struct memory memory = endless;

	memory.room = 10;
	ASSERT_EQ(-EBUSY, press(&memory));
	ASSERT_EQ(10 + PRESSURE_IDLE_STEPS, memory.steps);
	memory.leaves_after = 10 + PRESSURE_IDLE_STEPS;
	ASSERT_EQ(0, press(&memory));
}

TEST(one_step_that_gains_nothing_is_no_end)
{
	struct memory memory = endless;

	memory.room = 10;
	memory.chance = 8;
	ASSERT_EQ(-EBUSY, press(&memory));
	ASSERT_EQ(10 + PRESSURE_IDLE_STEPS, memory.steps);
}

TEST(without_a_byte_of_it_nothing_is_known)
{
	struct memory memory = endless;

	memory.room = 0;
	ASSERT_EQ(-ENOMEM, press(&memory));
	ASSERT_EQ(PRESSURE_IDLE_STEPS, memory.steps);
}

TEST(errors_are_no_verdict)
{
	struct memory memory = endless;

	memory.fails_at = 3;
	memory.error = -ENOMEM;
	ASSERT_EQ(-ENOMEM, press(&memory));
	ASSERT_EQ(4, memory.steps);
	memory.lost_at = 2;
	ASSERT_EQ(-ENODATA, press(&memory));
	ASSERT_EQ(2, memory.steps);
}

TEST(time_ends_it)
{
	struct memory memory = endless;

	memory.late_at = 5;
	ASSERT_EQ(-ETIMEDOUT, press(&memory));
	ASSERT_EQ(5, memory.steps);
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0-only
/* A call in a thread: whether it waits, and for how long. */
#include "kselftest_harness.h"

#include <unistd.h>

#include "oracle/thread.h"

static int read_one(void *argument)
{
	char byte;

	return read(*(int *)argument, &byte, 1);
}

static int read_or_errno(void *argument)
{
	return read_one(argument) < 0 ? -errno : 0;
}

static int return_at_once(void *argument)
{
	(void)argument;
	return 42;
}

static int spin(void *argument)
{
	atomic_bool *stop = argument;

	while (!*stop)
		;
	return 0;
}

TEST(a_waiting_call_waits_and_returns)
{
	struct thread thread;
	int ends[2], result;

	ASSERT_EQ(0, pipe(ends));
	ASSERT_EQ(0, thread_start(&thread, read_one, &ends[0]));
	ASSERT_TRUE(thread_waits(&thread, 10));
	ASSERT_EQ(-ETIMEDOUT, thread_join(&thread, 10, NULL));
	ASSERT_EQ(1, write(ends[1], "x", 1));
	ASSERT_EQ(0, thread_join(&thread, 2000, &result));
	ASSERT_EQ(1, result);
}

TEST(a_call_that_returns_does_not_wait)
{
	struct thread thread;
	int result;

	ASSERT_EQ(0, thread_start(&thread, return_at_once, NULL));
	ASSERT_FALSE(thread_waits(&thread, 10));
	ASSERT_EQ(0, thread_join(&thread, 2000, &result));
	ASSERT_EQ(42, result);
}

TEST(a_busy_call_does_not_wait)
{
	struct thread thread;
	atomic_bool stop = false;

	ASSERT_EQ(0, thread_start(&thread, spin, &stop));
	ASSERT_FALSE(thread_waits(&thread, 10));
	stop = true;
	ASSERT_EQ(0, thread_join(&thread, 2000, NULL));
}

TEST(an_interrupted_call_is_not_begun_again)
{
	struct thread thread;
	int ends[2], result;

	ASSERT_EQ(0, pipe(ends));
	ASSERT_EQ(0, thread_start(&thread, read_or_errno, &ends[0]));
	ASSERT_TRUE(thread_waits(&thread, 10));
	ASSERT_EQ(0, thread_interrupt(&thread));
	ASSERT_EQ(0, thread_join(&thread, 2000, &result));
	ASSERT_EQ(-EINTR, result);
}

TEST_HARNESS_MAIN

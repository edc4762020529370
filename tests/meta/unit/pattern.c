// SPDX-License-Identifier: GPL-2.0-only
/* The pattern shows a wrong offset, a wrong seed, a single wrong byte. */
#include "kselftest_harness.h"

#include <string.h>

#include "pair/pattern.h"

#define SIZE	(4 * 4096)

static unsigned char one[SIZE], other[SIZE];

/* Bytes that agree although they should have nothing to do with each other. */
static int agreeing(const void *a, const void *b, size_t length)
{
	const unsigned char *x = a, *y = b;
	int count = 0;

	for (size_t i = 0; i < length; i++)
		count += x[i] == y[i];
	return count;
}

/* By chance one in 256; twice as many would be no chance. */
#define CHANCE(length)	((int)(length) / 128)

TEST(what_was_filled_matches)
{
	pattern_fill(7, 0, one, SIZE);
	ASSERT_EQ(-1, pattern_mismatch(7, 0, one, SIZE));
}

TEST(parts_fit_together)
{
	pattern_fill(7, 0, one, SIZE);
	pattern_fill(7, 0, other, 1234);
	pattern_fill(7, 1234, other + 1234, SIZE - 1234);
	ASSERT_EQ(0, memcmp(one, other, SIZE));
}

TEST(one_wrong_byte_is_found)
{
	pattern_fill(7, 4096, one, SIZE);
	one[SIZE - 1] ^= 1;
	ASSERT_EQ(SIZE - 1, pattern_mismatch(7, 4096, one, SIZE));
	one[3] ^= 0x80;
	ASSERT_EQ(3, pattern_mismatch(7, 4096, one, SIZE));
}

TEST(another_seed_does_not_match)
{
	for (int seed = 0; seed < 4; seed++) {
		pattern_fill(seed, 0, one, SIZE);
		pattern_fill(seed + 1, 0, other, SIZE);
		ASSERT_GT(CHANCE(SIZE), agreeing(one, other, SIZE));
	}
}

TEST(another_offset_does_not_match)
{
	static const size_t shifts[] = { 1, 2, 4, 64, 256, 4096, 65536, 1 << 20 };

	pattern_fill(7, 0, one, SIZE);
	for (size_t i = 0; i < sizeof(shifts) / sizeof(shifts[0]); i++) {
		pattern_fill(7, shifts[i], other, SIZE);
		ASSERT_GT(CHANCE(SIZE), agreeing(one, other, SIZE)) {
			TH_LOG("shift by %zu", shifts[i]);
		}
	}
}

/* Two buffers whose seeds differ in a bit must not hold the same bytes swapped. */
TEST(another_seed_is_no_rearrangement)
{
	for (int bit = 1; bit < 4096; bit <<= 1) {
		pattern_fill(7 ^ bit, 0, one, SIZE);
		for (int i = 0; i < SIZE; i++)
			pattern_fill(7, i ^ bit, &other[i], 1);
		ASSERT_GT(CHANCE(SIZE), agreeing(one, other, SIZE));
	}
}

/* Poison of the peers and zeroed memory must not look like content. */
TEST(constant_content_does_not_match)
{
	pattern_fill(7, 0, one, SIZE);
	memset(other, 0, SIZE);
	ASSERT_GT(CHANCE(SIZE), agreeing(one, other, SIZE));
	memset(other, 0xdb, SIZE);
	ASSERT_GT(CHANCE(SIZE), agreeing(one, other, SIZE));
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0-only
/* The checksum of the admin queues, against its published check value. */
#include "kselftest_harness.h"

#include "nic/crc16.h"

TEST(check_value)
{
	ASSERT_EQ(0xb4c8, crc16("123456789", 9));
}

TEST(every_bit_counts)
{
	uint8_t bytes[64] = { 0 };
	uint16_t zero = crc16(bytes, sizeof(bytes));

	for (unsigned int bit = 0; bit < 8 * sizeof(bytes); bit++) {
		bytes[bit / 8] ^= 1 << bit % 8;
		ASSERT_NE(zero, crc16(bytes, sizeof(bytes)));
		bytes[bit / 8] ^= 1 << bit % 8;
	}
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0-only
#include "nic/crc16.h"

#define POLYNOMIAL	0xa001	/* 0x8005, least significant bit first */

uint16_t crc16(const void *bytes, size_t length)
{
	const uint8_t *next = bytes;
	uint16_t sum = 0xffff;

	while (length--) {
		sum ^= *next++;
		for (int bit = 0; bit < 8; bit++)
			sum = sum >> 1 ^ (sum & 1 ? POLYNOMIAL : 0);
	}
	return ~sum;
}

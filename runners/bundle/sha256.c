// SPDX-License-Identifier: GPL-2.0-only
#include "bundle/sha256.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define BLOCK	64
#define ROUNDS	64

/* Section 4.2.2: of the cube roots of the first 64 primes. */
static const uint32_t constants[ROUNDS] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
	0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
	0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
	0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
	0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
	0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate(uint32_t word, unsigned int by)
{
	return word >> by | word << (32 - by);
}

static void expand(uint32_t words[ROUNDS], const unsigned char *block)
{
	for (int i = 0; i < 16; i++)
		words[i] = (uint32_t)block[4 * i] << 24 |
			   (uint32_t)block[4 * i + 1] << 16 |
			   (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (int i = 16; i < ROUNDS; i++) {
		uint32_t near = words[i - 2], far = words[i - 15];

		words[i] = words[i - 16] + words[i - 7] +
			   (rotate(far, 7) ^ rotate(far, 18) ^ far >> 3) +
			   (rotate(near, 17) ^ rotate(near, 19) ^ near >> 10);
	}
}

static void take_block(uint32_t hash[8], const unsigned char *block)
{
	uint32_t words[ROUNDS], s[8];

	expand(words, block);
	memcpy(s, hash, sizeof(s));
	for (int i = 0; i < ROUNDS; i++) {
		uint32_t one = s[7] + constants[i] + words[i] +
			(rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) +
			((s[4] & s[5]) ^ (~s[4] & s[6]));
		uint32_t two = (rotate(s[0], 2) ^ rotate(s[0], 13) ^
				rotate(s[0], 22)) +
			((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));

		memmove(s + 1, s, 7 * sizeof(*s));
		s[4] += one;
		s[0] = one + two;
	}
	for (int i = 0; i < 8; i++)
		hash[i] += s[i];
}

/* What is left over, the bit that ends it, and the length in bits. */
static void take_end(uint32_t hash[8], const unsigned char *rest, size_t left,
		     uint64_t size)
{
	unsigned char end[2 * BLOCK] = { 0 };
	size_t length = left + 9 > BLOCK ? 2 * BLOCK : BLOCK;

	if (left)
		memcpy(end, rest, left);
	end[left] = 0x80;
	for (int i = 0; i < 8; i++)
		end[length - 1 - i] = size * 8 >> 8 * i;
	for (size_t at = 0; at < length; at += BLOCK)
		take_block(hash, end + at);
}

void sha256_text(const void *data, size_t size, char text[SHA256_TEXT_SIZE])
{
	uint32_t hash[8] = {
		0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
		0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
	};
	const unsigned char *bytes = data;
	size_t left = size;

	for (; left >= BLOCK; left -= BLOCK, bytes += BLOCK)
		take_block(hash, bytes);
	take_end(hash, bytes, left, size);
	for (int i = 0; i < 8; i++)
		snprintf(text + 8 * i, SHA256_TEXT_SIZE - 8 * i, "%08x", hash[i]);
}

// SPDX-License-Identifier: GPL-2.0-only
/* Content whose every byte tells buffer and offset. */
#include "pair/pattern.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* So many bytes come of one mix; a power of two. */
#define BLOCK		128
#define WORDS		(BLOCK / sizeof(uint64_t))
#define NOT_ZERO	UINT64_C(0x9e3779b97f4a7c15)
#define STEP		UINT64_C(0xd1b54a32d192ed03)

/* A word of content, which may begin anywhere. */
typedef uint64_t loose_word __attribute__((aligned(1), may_alias));

/*
 * The first word of a block. Mixes seed and number of the block so that
 * neighbouring blocks, blocks a page or a power of two apart, and neighbouring
 * seeds have unrelated bytes. Murmur3's final mix. The other words of a block lie
 * an odd step apart, so that no two of them are alike. A block at a time, since
 * each test writes and reads whole buffers, most of them on an emulated processor.
 */
static uint64_t first_word(uint32_t seed, size_t number)
{
	uint64_t x = number ^ ((uint64_t)seed << 32) ^ seed ^ NOT_ZERO;

	x ^= x >> 33;
	x *= UINT64_C(0xff51afd7ed558ccd);
	x ^= x >> 33;
	x *= UINT64_C(0xc4ceb9fe1a85ec53);
	x ^= x >> 33;
	return x;
}

static void make_block(uint32_t seed, size_t number, loose_word *words)
{
	uint64_t word = first_word(seed, number);

#pragma GCC unroll 16
	for (size_t i = 0; i < WORDS; i++, word += STEP)
		words[i] = word;
}

static bool is_block(uint32_t seed, size_t number, const loose_word *words)
{
	uint64_t word = first_word(seed, number);
	uint64_t difference = 0;

#pragma GCC unroll 16
	for (size_t i = 0; i < WORDS; i++, word += STEP)
		difference |= words[i] ^ word;
	return !difference;
}

/* The part of a block that begins at @offset, @length bytes at most. */
struct part {
	uint64_t words[WORDS];
	const unsigned char *bytes;
	size_t size;
};

static void make_part(struct part *part, uint32_t seed, size_t offset,
		      size_t length)
{
	size_t skip = offset % BLOCK;

	make_block(seed, offset / BLOCK, part->words);
	part->bytes = (const unsigned char *)part->words + skip;
	part->size = length < BLOCK - skip ? length : BLOCK - skip;
}

static bool is_whole(size_t offset, size_t length)
{
	return offset % BLOCK == 0 && length >= BLOCK;
}

void pattern_fill(uint32_t seed, size_t offset, void *data, size_t length)
{
	unsigned char *bytes = data;
	size_t size = BLOCK;
	struct part part;

	for (size_t i = 0; i < length; i += size) {
		if (is_whole(offset + i, length - i)) {
			size = BLOCK;
			make_block(seed, (offset + i) / BLOCK,
				   (loose_word *)(bytes + i));
			continue;
		}
		make_part(&part, seed, offset + i, length - i);
		size = part.size;
		memcpy(bytes + i, part.bytes, size);
	}
}

static size_t common(const unsigned char *a, const unsigned char *b,
		     size_t length)
{
	size_t i = 0;

	while (i < length && a[i] == b[i])
		i++;
	return i;
}

long pattern_mismatch(uint32_t seed, size_t offset, const void *data,
		      size_t length)
{
	const unsigned char *bytes = data;
	size_t size = BLOCK;
	struct part part;

	for (size_t i = 0; i < length; i += size) {
		size = BLOCK;
		if (is_whole(offset + i, length - i) &&
		    is_block(seed, (offset + i) / BLOCK,
			     (const loose_word *)(bytes + i)))
			continue;
		make_part(&part, seed, offset + i, length - i);
		size = part.size;
		if (memcmp(bytes + i, part.bytes, size))
			return i + common(bytes + i, part.bytes, size);
	}
	return -1;
}

int pattern_write(uint32_t seed, struct buffer *buffer)
{
	void *content = malloc(buffer->size);
	int ret;

	if (!content)
		return -ENOMEM;
	pattern_fill(seed, 0, content, buffer->size);
	ret = exporter_write(buffer, 0, content, buffer->size);
	free(content);
	return ret;
}

int pattern_verify(uint32_t seed, struct buffer *buffer)
{
	void *content = malloc(buffer->size);
	int ret;

	if (!content)
		return -ENOMEM;
	ret = exporter_read(buffer, 0, content, buffer->size);
	if (!ret && pattern_mismatch(seed, 0, content, buffer->size) >= 0)
		ret = -EILSEQ;
	free(content);
	return ret;
}

int pattern_send(uint32_t seed, struct import *import)
{
	void *content = malloc(import->length);
	int ret;

	if (!content)
		return -ENOMEM;
	pattern_fill(seed, import->offset, content, import->length);
	ret = importer_write(import, 0, content, import->length);
	free(content);
	return ret;
}

int pattern_receive(uint32_t seed, struct import *import)
{
	void *content = malloc(import->length);
	int ret;

	if (!content)
		return -ENOMEM;
	ret = importer_read(import, 0, content, import->length);
	if (!ret && pattern_mismatch(seed, import->offset, content,
				     import->length) >= 0)
		ret = -EILSEQ;
	free(content);
	return ret;
}

// SPDX-License-Identifier: GPL-2.0-only
/* Content whose every byte tells buffer and offset. */
#include "pair/pattern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define WORD		sizeof(uint64_t)
#define NOT_ZERO	UINT64_C(0x9e3779b97f4a7c15)

/*
 * Mixes seed and number of the word so that neighbouring words, words a page
 * or a power of two apart, and neighbouring seeds have unrelated bytes, and so
 * have the bytes in a word. Murmur3's final mix. A word at a time, since each
 * test writes and reads whole buffers, most of them on an emulated processor.
 */
static uint64_t word_at(uint32_t seed, size_t number)
{
	uint64_t x = number ^ ((uint64_t)seed << 32) ^ seed ^ NOT_ZERO;

	x ^= x >> 33;
	x *= UINT64_C(0xff51afd7ed558ccd);
	x ^= x >> 33;
	x *= UINT64_C(0xc4ceb9fe1a85ec53);
	return x ^ x >> 33;
}

/* The part of a word that begins at @offset, @length bytes at most. */
static size_t part_at(uint32_t seed, size_t offset, size_t length,
		      unsigned char part[WORD])
{
	uint64_t word = word_at(seed, offset / WORD);
	size_t skip = offset % WORD;

	memcpy(part, (const unsigned char *)&word + skip, WORD - skip);
	return length < WORD - skip ? length : WORD - skip;
}

/* A size that the compiler knows makes these a load and a store. */
static void copy_part(unsigned char *to, const unsigned char *part, size_t size)
{
	if (size == WORD)
		memcpy(to, part, WORD);
	else
		memcpy(to, part, size);
}

static bool same_part(const unsigned char *a, const unsigned char *b,
		      size_t size)
{
	return size == WORD ? !memcmp(a, b, WORD) : !memcmp(a, b, size);
}

void pattern_fill(uint32_t seed, size_t offset, void *data, size_t length)
{
	unsigned char *bytes = data;
	unsigned char part[WORD];
	size_t size;

	for (size_t i = 0; i < length; i += size) {
		size = part_at(seed, offset + i, length - i, part);
		copy_part(bytes + i, part, size);
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
	unsigned char part[WORD];
	size_t size;

	for (size_t i = 0; i < length; i += size) {
		size = part_at(seed, offset + i, length - i, part);
		if (!same_part(bytes + i, part, size))
			return i + common(bytes + i, part, size);
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

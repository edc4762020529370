// SPDX-License-Identifier: GPL-2.0-only
/* Content whose every byte tells buffer and offset. */
#include "pair/pattern.h"

#include <errno.h>
#include <stdlib.h>

/*
 * Mixes seed and offset so that neighbouring offsets, offsets a page or a
 * power of two apart, and neighbouring seeds give unrelated bytes. Murmur3's
 * final mix.
 */
static unsigned char byte_at(uint32_t seed, size_t offset)
{
	uint64_t x = offset ^ ((uint64_t)seed << 32) ^ seed;

	x ^= x >> 33;
	x *= UINT64_C(0xff51afd7ed558ccd);
	x ^= x >> 33;
	x *= UINT64_C(0xc4ceb9fe1a85ec53);
	return x >> 56;
}

void pattern_fill(uint32_t seed, size_t offset, void *data, size_t length)
{
	unsigned char *bytes = data;

	for (size_t i = 0; i < length; i++)
		bytes[i] = byte_at(seed, offset + i);
}

long pattern_mismatch(uint32_t seed, size_t offset, const void *data,
		      size_t length)
{
	const unsigned char *bytes = data;

	for (size_t i = 0; i < length; i++)
		if (bytes[i] != byte_at(seed, offset + i))
			return i;
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

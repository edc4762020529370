/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Content that tells where it belongs: every byte depends on a seed and on
 * its offset in the buffer, so that a wrong offset, a wrong buffer and a
 * stale copy all show.
 */
#ifndef CTS_PATTERN_H
#define CTS_PATTERN_H

#include <stddef.h>
#include <stdint.h>

#include "exporter/exporter.h"
#include "importer/importer.h"

/**
 * pattern_fill - make the content for a range
 * @seed: which content
 * @offset: bytes from the start of the buffer
 * @data: where to
 * @length: bytes
 */
void pattern_fill(uint32_t seed, size_t offset, void *data, size_t length);

/**
 * pattern_mismatch - compare a range with its content
 *
 * Return: the index in @data of the first byte that differs, or -1.
 */
long pattern_mismatch(uint32_t seed, size_t offset, const void *data,
		      size_t length);

/**
 * pattern_write - fill a whole buffer through its exporter
 * pattern_verify - read a whole buffer through its exporter and compare
 *
 * Return: 0, -EILSEQ if a byte differs, or the exporter's errno.
 */
int pattern_write(uint32_t seed, struct buffer *buffer);
int pattern_verify(uint32_t seed, struct buffer *buffer);

/**
 * pattern_send - write a whole import through its importer
 * pattern_receive - read a whole import through its importer and compare
 *
 * Return: 0, -EILSEQ if a byte differs, or the importer's errno.
 */
int pattern_send(uint32_t seed, struct import *import);
int pattern_receive(uint32_t seed, struct import *import);

#endif

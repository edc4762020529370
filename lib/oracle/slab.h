/* SPDX-License-Identifier: GPL-2.0-only */
/* How many small objects the kernel has allocated, to find leaks by number. */
#ifndef CTS_SLAB_H
#define CTS_SLAB_H

#include <stdio.h>

/**
 * slab_objects - objects in use in the general purpose caches (kmalloc-*)
 *
 * The whole kernel is counted, so a leak only shows against the noise of
 * others if it was repeated some hundred times.
 *
 * Return: their number, or a negative errno if /proc/slabinfo cannot be read.
 */
long slab_objects(void);

/**
 * slab_count - count in a text
 * @file: the text, as /proc/slabinfo has it
 *
 * Return: the number; -EPROTO if no cache of that kind is listed.
 */
long slab_count(FILE *file);

#endif

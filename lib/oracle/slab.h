/* SPDX-License-Identifier: GPL-2.0-only */
/* How many small objects the kernel has allocated, to find leaks by number. */
#ifndef CTS_SLAB_H
#define CTS_SLAB_H

/**
 * slab_objects - objects in use in the general purpose caches (kmalloc-*)
 *
 * The whole kernel is counted, so a leak only shows against the noise of
 * others if it was repeated some hundred times.
 *
 * Return: their number, -EPROTO if no such cache is listed, or another negative
 * errno if /proc/slabinfo cannot be read.
 */
long slab_objects(void);

#endif

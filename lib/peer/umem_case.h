/* SPDX-License-Identifier: GPL-2.0-only */
/* Regions of the importer through RDMA core, as its tests make them and look at them. */
#ifndef CTS_UMEM_CASE_H
#define CTS_UMEM_CASE_H

#include <errno.h>
#include <string.h>

#include "pair/decline.h"
#include "pair/pair.h"
#include "pair/pattern.h"
#include "peer/peer_umem.h"

/**
 * region_saw - what became of a region
 * @region: the region
 *
 * Return: its counters; all bits set where they cannot be had.
 */
static inline struct peer_umem_stat region_saw(struct umem_region *region)
{
	struct peer_umem_stat stat;

	if (umem_stat(region, &stat))
		memset(&stat, 0xff, sizeof(stat));
	return stat;
}

/**
 * region_shows - whether the device reads what it should
 * @region: of the whole buffer of the fixture, or of its beginning
 * @seed: of the pattern that the buffer holds
 *
 * Return: 0, -EILSEQ if a byte differs, or as umem_read().
 */
static inline int region_shows(struct umem_region *region, uint32_t seed)
{
	static uint8_t data[PAIR_BUFFER_SIZE];
	int ret = umem_read(region, 0, data, region->length);

	if (!ret && pattern_mismatch(seed, 0, data, region->length) >= 0)
		ret = -EILSEQ;
	return ret;
}

/* The whole buffer of the fixture as a region. */
#define must_register(flags_, region_) \
	do { \
		const struct umem_options options_ = { \
			.length = PAIR_BUFFER_SIZE, .flags = flags_, \
		}; \
\
		must_unless_declined(umem_register(self->importer, \
						   self->buffer.fd, \
						   &options_, region_)); \
	} while (0)

/* For what a notice does to a region that is mapped again afterwards. */
#define needs_dynamic() \
	do { \
		if (umem_mode(self->importer) != PEER_UMEM_DYNAMIC) \
			skip_case("a notice revokes these regions"); \
	} while (0)

#endif

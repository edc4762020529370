/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Moves bytes between memory of the CPU and a registered dma-buf, in loopback
 * on one device, by the best way that the device has: RDMA write and read;
 * RDMA read alone, both ways; or send and receive.
 */
#ifndef CTS_VERBS_MOVER_H
#define CTS_VERBS_MOVER_H

#include "importer/verbs.h"

struct verbs_mover {
	struct verbs_domain *domain;
	struct verbs_end *near, *far;
	void *memory;			/* where bytes pass through */
	struct verbs_region region;	/* of @memory */
	const struct verbs_way *in, *out;
	size_t step;			/* bytes moved at a time */
};

/**
 * verbs_can_move - whether a device moves bytes at all
 */
bool verbs_can_move(const struct verbs_traits *traits);

/**
 * verbs_mover_open - make two ends and the memory between them
 * @domain: protection domain of all that is to be moved
 * @mover: filled; give it back with verbs_mover_close()
 * verbs_mover_close - again does nothing
 *
 * Return: 0, -EOPNOTSUPP if the device cannot, or a negative errno.
 */
int verbs_mover_open(struct verbs_domain *domain, struct verbs_mover *mover);
int verbs_mover_close(struct verbs_mover *mover);

/**
 * verbs_move_access - rights that a region needs to be moved from and to
 * @traits: of the device
 * @access: IMPORT_READ, IMPORT_WRITE or both
 */
uint32_t verbs_move_access(const struct verbs_traits *traits,
			   unsigned int access);

/**
 * verbs_move_in - write bytes into a region
 * verbs_move_out - read bytes from it
 * @mover: an open mover
 * @region: a region in its domain
 * @offset: bytes from the start of the region
 * @data: the bytes
 * @length: how many
 *
 * Return: 0, -EREMOTEIO if the device reports an error, -ETIMEDOUT if it does
 * not answer, or another negative errno.
 */
int verbs_move_in(struct verbs_mover *mover, const struct verbs_region *region,
		  uint64_t offset, const void *data, size_t length);
int verbs_move_out(struct verbs_mover *mover, const struct verbs_region *region,
		   uint64_t offset, void *data, size_t length);

#endif

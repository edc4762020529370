/* SPDX-License-Identifier: GPL-2.0-only */
/* Bytes in and out of regions, page by page. */
#ifndef CTS_NIC_TRANSFER_H
#define CTS_NIC_TRANSFER_H

#include <stddef.h>
#include <stdint.h>

#include "nic/mr.h"

/* An address in a region that mr_admit() has admitted with all that is moved. */
struct place {
	struct device *device;
	struct region *region;
	uint64_t address;
};

/**
 * transfer_copy - from one region to another
 *
 * Return: 0; -EFAULT if a page of either is not there: those before it are moved then.
 */
int transfer_copy(const struct place *to, const struct place *from, uint64_t length);

/** transfer_load - out of a region, likewise */
int transfer_load(void *to, const struct place *from, uint64_t length);

/** transfer_store - into a region, likewise */
int transfer_store(const struct place *to, const void *from, uint64_t length);

#endif

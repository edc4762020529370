/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory regions. A region is a list of pages; each access looks its page up and goes through
 * the guest's IOMMU at that moment, so that what was unmapped meanwhile is not reached.
 */
#ifndef CTS_NIC_MR_H
#define CTS_NIC_MR_H

#include <stdbool.h>
#include <stddef.h>

#include "nic/admin.h"

enum {
	REGIONS			= 4096,
	REGION_PAGES		= 1 << 20,
	REGIONS_PAGES		= 8 << 20,	/* of all together */
};

struct region {
	bool live;
	uint16_t generation;	/* of the slot, in the key: an old key is noticed */
	uint16_t pd;
	uint8_t shift;		/* pages of 2^shift bytes */
	uint8_t rights;
	uint64_t address;
	uint64_t length;
	uint32_t npages;
	uint64_t *pages;	/* a dead one's only as long as it lingers */
	uint64_t bytes_read;
	uint64_t bytes_written;
	uint64_t lingers_until;	/* the device goes on writing a dead one; 0: it does not */
};

struct regions {
	struct region slots[REGIONS];
	unsigned int next;
	uint32_t npages;	/* of all of them */
	unsigned int lingering;
	uint64_t next_late;	/* when the lingering ones are written again */
};

/* Part of a region, as a work request names it. */
struct segment {
	struct device *device;
	uint32_t key;
	uint16_t pd;		/* of the queue pair */
	uint8_t rights;		/* needed; none to read it locally */
	uint64_t address;
	uint64_t length;
};

/**
 * mr_admit - find what a work request names
 *
 * Return: the region, good until the device is called again, if it is of that key and
 * protection domain, gives these rights and holds the whole range; else NULL.
 */
struct region *mr_admit(const struct segment *segment);

/**
 * mr_place - where an address of a region is on the bus
 * @address: in the region
 * @length: bytes from there, cut down to what lies in the same page
 */
uint64_t mr_place(const struct region *region, uint64_t address, size_t *length);

/**
 * mr_tick - write once more to regions that linger
 *
 * Return: milliseconds until it wants to be called again; -1 for not at all.
 */
int mr_tick(struct device *device, uint64_t now_ns);

/** mr_reset - drop all regions */
void mr_reset(struct device *device);

enum admin_status mr_register(struct device *device, const struct command *command,
			      void *answer);
enum admin_status mr_deregister(struct device *device, const struct command *command,
				void *answer);

#endif

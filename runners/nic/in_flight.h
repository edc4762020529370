/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For the fault write_in_flight: a write that the device has put on the bus with a translation of
 * its own, so that no unmap holds it up, and that arrives when its region is gone.
 */
#ifndef CTS_NIC_IN_FLIGHT_H
#define CTS_NIC_IN_FLIGHT_H

#include <stdint.h>

struct device;
struct memory_file;
struct region;

#define IN_FLIGHT_BYTES	64

struct in_flight {
	struct memory_file *file;	/* NULL: nothing is in flight */
	uint8_t *place;			/* in it */
	uint8_t bytes[IN_FLIGHT_BYTES];
	uint64_t until;			/* when it is lost */
	uint64_t due;			/* when it arrives; 0: not known yet */
};

/** in_flight_take - a region ends that may have been written just now */
void in_flight_take(struct device *device, const struct region *region);

/**
 * in_flight_tick - let it arrive
 *
 * It waits for someone else to write there, so that it is seen, and arrives once.
 *
 * Return: milliseconds until it wants to be called again; -1 for not at all.
 */
int in_flight_tick(struct device *device, uint64_t now_ns);

/** in_flight_drop - forget it */
void in_flight_drop(struct device *device);

#endif

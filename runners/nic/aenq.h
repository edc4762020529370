/* SPDX-License-Identifier: GPL-2.0-only */
/* Events that the device sends by itself: it is alive. */
#ifndef CTS_NIC_AENQ_H
#define CTS_NIC_AENQ_H

#include <stdint.h>

struct device;

struct aenq {
	uint32_t groups;	/* that the driver wants */
	uint16_t stored;	/* events so far */
	uint64_t next;		/* when the device is to say that it is alive */
};

/** aenq_enable - send events of these groups from now on, a bit for each */
void aenq_enable(struct device *device, uint32_t groups);

/**
 * aenq_tick - say that the device is alive, if it is time to
 *
 * Return: milliseconds until it wants to be called again; -1 for not at all.
 */
int aenq_tick(struct device *device, uint64_t now_ns);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* Event queues: which completion queue has something new, told with an interrupt. */
#ifndef CTS_NIC_EQ_H
#define CTS_NIC_EQ_H

#include <stdbool.h>

#include "nic/admin.h"
#include "nic/function.h"

enum {
	EQS		= FUNCTION_VECTORS - 1,
	EQ_DEPTH	= 256,
};

struct eq {
	bool live;
	unsigned int users;	/* completion queues that tell events to it */
	uint64_t ring;
	uint32_t depth;
	uint8_t vector;
	uint32_t stored;	/* events, since it was made */
	uint32_t told;		/* of them, when the driver was last interrupted */
	uint32_t seen;		/* of them by the driver for sure: it armed after it was told */
	bool armed;
};

struct eqs {
	struct eq slots[EQS];
	unsigned int next;
};

/** eq_find - the live one of that number, or NULL */
struct eq *eq_find(struct device *device, unsigned int number);

/**
 * eq_store - tell the driver that a completion queue has something new
 *
 * Return: false if the ring may be full; eq_ring() then asks the completion queues.
 */
bool eq_store(struct device *device, struct eq *eq, uint16_t cq);

/** eq_ring - the driver has seen the events so far, and wants an interrupt for the next */
void eq_ring(struct device *device, uint32_t value);

enum admin_status eq_create(struct device *device, const struct command *command,
			    void *answer);

/* Refused while a completion queue tells events to it. */
enum admin_status eq_destroy(struct device *device, const struct command *command,
			     void *answer);

#endif

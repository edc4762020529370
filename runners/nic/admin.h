/* SPDX-License-Identifier: GPL-2.0-only */
/* The admin queue and its completions. */
#ifndef CTS_NIC_ADMIN_H
#define CTS_NIC_ADMIN_H

#include <stdbool.h>
#include <stdint.h>

#include "nic/wire/admin.h"

struct device;

/* Where the device is in the driver's rings; all count on and wrap around. */
struct admin {
	uint16_t posted;	/* by the driver's doorbell */
	uint16_t taken;
	uint16_t answered;
};

/* A copy of what the driver asks for; zero where its entry was shorter. */
struct command {
	uint16_t id;
	uint8_t opcode;
	uint8_t flags;
	uint8_t payload[ADMIN_PAYLOAD_MAX];
};

/*
 * A handler of a command takes its parameters from command->payload, fills the
 * answer (ADMIN_ANSWER bytes, all zero before; left so on an error) and says how it went.
 */

/** admin_ring - the driver's doorbell: run what it posted, or the first part of it */
void admin_ring(struct device *device, uint32_t value);

/**
 * admin_run - carry on with commands that are posted
 *
 * Only some at a time, so that no guest can keep the server from the others.
 *
 * Return: whether there are more.
 */
bool admin_run(struct device *device);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* The eventfds through which MSI-X messages reach the guest. */
#ifndef CTS_NIC_INTERRUPT_H
#define CTS_NIC_INTERRUPT_H

#include <stdbool.h>

#include "nic/function.h"

struct interrupts {
	int fds[FUNCTION_VECTORS];	/* -1: not set up */
};

/** interrupts_init - nothing is set up */
void interrupts_init(struct interrupts *interrupts);

/** interrupts_set - use @fd, which is taken over, for a vector; -1 for none */
void interrupts_set(struct interrupts *interrupts, unsigned int vector, int fd);

/** interrupts_clear - tear all down */
void interrupts_clear(struct interrupts *interrupts);

/**
 * interrupts_send - send one
 *
 * Return: false if the vector is not set up or the other side does not take it.
 */
bool interrupts_send(const struct interrupts *interrupts, unsigned int vector);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* One PCI function, as the device behind it sees it: the way to its guest. */
#ifndef CTS_NIC_FUNCTION_H
#define CTS_NIC_FUNCTION_H

#include <stdint.h>

#include "nic/controls.h"
#include "nic/counters.h"
#include "nic/memory.h"

struct function;

/* Sizes of what the guest maps, bytes. */
#define FUNCTION_LLQ_SIZE	(4u << 20)
#define FUNCTION_DOORBELLS_SIZE	(2u << 20)

/* MSI-X vectors. */
#define FUNCTION_VECTORS	9

/** function_number - 0, 1, ...: which of the server's functions this is */
unsigned int function_number(const struct function *function);

/** function_name - for the log: "nic0", "nic1", ... */
const char *function_name(const struct function *function);

/**
 * function_interrupt - send an MSI-X message to the guest
 * @vector: one that the guest has not set up, or that there is not, is dropped
 */
void function_interrupt(struct function *function, unsigned int vector);

/** function_memory - what the function may reach of the guest */
struct memory *function_memory(struct function *function);

/**
 * function_llq - FUNCTION_LLQ_SIZE bytes that the guest writes work requests to
 *
 * The guest may change them at any time: copy once, then judge the copy.
 */
const uint8_t *function_llq(struct function *function);

/** function_counters - what is counted for the instrument page */
struct counters *function_counters(struct function *function);

/** function_controls - what a test asked for; the device counts fail_nth down */
struct controls *function_controls(struct function *function);

#endif

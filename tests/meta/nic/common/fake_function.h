/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A function without a client, for tests of the device: its guest is a file here. A test
 * that calls any of function.h gets this one instead of the real one.
 */
#ifndef CTS_TEST_FAKE_FUNCTION_H
#define CTS_TEST_FAKE_FUNCTION_H

#include "nic/function.h"

/* What is mapped for the device, readable and writable. */
#define FAKE_GUEST_ADDRESS	0x10000000ull
#define FAKE_GUEST_SIZE		(16u << 20)

/**
 * fake_function_new - a function whose guest is empty; exits if there is no memory
 * @number: of the function
 */
struct function *fake_function_new(unsigned int number);

/** fake_function_clear - as new again: guest memory, mappings, counters, controls */
void fake_function_clear(struct function *function);

/** fake_function_free - the function and its guest */
void fake_function_free(struct function *function);

/** fake_guest - where the guest's byte at this address is; it must be mapped */
void *fake_guest(struct function *function, uint64_t address);

/** fake_guest_fd - the file of the guest's memory, to map more of it */
int fake_guest_fd(struct function *function);

/** fake_llq - the LLQ memory, as the guest writes it */
uint8_t *fake_llq(struct function *function);

/** fake_interrupts - how many interrupts came on a vector */
unsigned int fake_interrupts(struct function *function, unsigned int vector);

#endif

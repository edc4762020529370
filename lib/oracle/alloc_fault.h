/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Has the kernel's allocations fail one after another, where it was built for
 * that (CONFIG_FAILSLAB, CONFIG_FAIL_PAGE_ALLOC): /proc/thread-self/fail-nth.
 */
#ifndef CTS_ALLOC_FAULT_H
#define CTS_ALLOC_FAULT_H

#include <stdbool.h>

/**
 * alloc_fault_open - have allocations that could wait fail as well, in silence
 *
 * The kernel's settings of fault injection are as they were after
 * alloc_fault_close(); until then they matter to nobody who asks for no
 * failures. Should this process die before, a guard puts them back. Nothing fails
 * on behalf of the debugging of the DMA layer.
 *
 * Return: 0, -ENODEV if the kernel was built without or shows no sign of it, or
 * another negative errno; alloc_fault_reason() says what is missing.
 */
int alloc_fault_open(void);

/**
 * alloc_fault_reason - why alloc_fault_open() failed, in words for people
 */
const char *alloc_fault_reason(void);

/**
 * alloc_fault_arm - have an allocation of this thread fail
 * @nth: which, counted from the next one on: 1 is the next
 *
 * Return: 0 or a negative errno.
 */
int alloc_fault_arm(unsigned int nth);

/**
 * alloc_fault_disarm - let all allocations succeed
 *
 * Return: 1 if one was made to fail since alloc_fault_arm(), 0 if the thread
 * made fewer, or a negative errno.
 */
int alloc_fault_disarm(void);

/**
 * alloc_fault_close - put back what alloc_fault_open() changed
 */
void alloc_fault_close(void);

#endif

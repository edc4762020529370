/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CTS_AGENT_CLOCK_H
#define CTS_AGENT_CLOCK_H

#include <time.h>

/*
 * Milliseconds since some point in the past; never set back. As of the last
 * tick of the kernel's clock: to ask the hardware costs an emulated processor
 * dear, and nobody here counts single ones.
 */
static inline long long clock_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* What a function counts: one 64-bit member for each line of counters.def. */
#ifndef CTS_NIC_COUNTERS_H
#define CTS_NIC_COUNTERS_H

#include <stdint.h>

struct counters {
#define COUNTER(name, what) uint64_t name;
#include "nic/counters.def"
#undef COUNTER
};

/* The index of each in the instrument page, and their number. */
enum {
#define COUNTER(name, what) COUNTER_##name,
#include "nic/counters.def"
#undef COUNTER
	COUNTERS
};

#endif

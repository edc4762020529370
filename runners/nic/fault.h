/* SPDX-License-Identifier: GPL-2.0-only */
/* The deliberate faults of the device, at most one of which is on. */
#ifndef CTS_NIC_FAULT_H
#define CTS_NIC_FAULT_H

#include <stdbool.h>

enum fault {
	FAULT_none,
#define FAULT(name, clauses, effect) FAULT_##name,
#include "nic/faults.def"
#undef FAULT
	FAULTS
};

/* Whether the fault of that name is on: nic_fault(late_access). */
#define nic_fault(name)	(fault_now() == FAULT_##name)

/** fault_now - the fault that is on in all functions, or FAULT_none */
enum fault fault_now(void);

/**
 * fault_set - switch a fault on, and any other off
 *
 * Return: false, with nothing changed, if there is no such fault.
 */
bool fault_set(unsigned int fault);

/** fault_by_name - its number; FAULTS if there is none of that name */
enum fault fault_by_name(const char *name);

#endif

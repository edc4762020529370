/* SPDX-License-Identifier: GPL-2.0-only */
/* The deliberate faults of the peer modules and the emulated NIC. */
#ifndef CTS_AGENT_FAULT_H
#define CTS_AGENT_FAULT_H

/**
 * fault_set - switch a fault on, or off again
 * @sys_module: folder of module parameters
 * @fault: whose it is and its name, as in "exporter:NAME" or "nic:NAME"
 * @on: false switches off whatever is on there
 *
 * Return: NULL, or why it failed (good until the next call).
 */
const char *fault_set(const char *sys_module, const char *fault, int on);

#endif

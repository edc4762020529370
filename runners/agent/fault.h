/* SPDX-License-Identifier: GPL-2.0-only */
/* The deliberate faults of the peer modules. */
#ifndef CTS_AGENT_FAULT_H
#define CTS_AGENT_FAULT_H

/**
 * fault_set - switch a fault on, or off again
 * @sys_module: folder of module parameters
 * @fault: "exporter:NAME" or "importer:NAME"
 * @on: false switches off whatever is on in that module
 *
 * Return: NULL, or why it failed (good until the next call).
 */
const char *fault_set(const char *sys_module, const char *fault, int on);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The emulated NICs of the guest, as the runner sees them: by the instrument
 * page of each, whatever their driver does.
 */
#ifndef CTS_AGENT_NIC_H
#define CTS_AGENT_NIC_H

#include <stdbool.h>

/**
 * nic_open - find the NICs that this guest was given
 * @wanted: how many; with 0 no device is looked at
 * @devices: folder of the PCI functions, /sys/bus/pci/devices
 *
 * Return: NULL, or why not all of them are there (good until the next call).
 */
const char *nic_open(unsigned int wanted, const char *devices);

/**
 * nic_lost - whether a NIC does not answer any more, and never will again
 * @now: false lets an answer stand for a moment, since asking takes time
 */
bool nic_lost(bool now);

/**
 * nic_set_fault - switch a fault of the device on
 * @name: of runners/nic/faults.def, or "none" to switch off what is on
 *
 * Return: NULL, or why it failed (good until the next call).
 */
const char *nic_set_fault(const char *name);

void nic_close(void);

#endif

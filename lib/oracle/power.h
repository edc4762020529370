/* SPDX-License-Identifier: GPL-2.0-only */
/* The runtime power state of a device, as sysfs has it. */
#ifndef CTS_POWER_H
#define CTS_POWER_H

/**
 * power_usage - how many users keep a PCI device awake
 * @device: its address, "0000:03:00.0"
 *
 * Return: the runtime power count; -ENOENT if this is no PCI device or its
 * count is not shown (CONFIG_PM_ADVANCED_DEBUG), or another negative errno.
 */
int power_usage(const char *device);

#endif

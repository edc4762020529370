/* SPDX-License-Identifier: GPL-2.0-only */
/* Takes devices away from their drivers and gives them back, through sysfs. */
#ifndef CTS_DRIVE_H
#define CTS_DRIVE_H

/**
 * drive - write a device's name to a file of its driver
 * @driver: folder of the driver in sysfs
 * @action: "bind" or "unbind"
 * @device: name of the device on its bus, "0000:00:09.0"
 *
 * Return: 0 once the driver is done with it, or a negative errno.
 */
int drive(const char *driver, const char *action, const char *device);

#endif

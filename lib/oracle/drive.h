/* SPDX-License-Identifier: GPL-2.0-only */
/* Takes devices away from their drivers and gives them back, through sysfs. */
#ifndef CTS_DRIVE_H
#define CTS_DRIVE_H

#include <limits.h>
#include <sys/types.h>

/* What a driver needs to let go of a device and to take it again. */
struct binding {
	char driver[PATH_MAX];		/* folder in sysfs */
	char device[48];		/* on the bus */
};

/**
 * drive_find - the driver that has a PCI function
 * @device: address of the function, "0000:00:09.0"
 * @binding: filled
 *
 * Return: 0, or a negative errno if it is no PCI function, or has no driver.
 */
int drive_find(const char *device, struct binding *binding);

/**
 * drive_find_node - the driver that has the device behind an open node
 * @node: descriptor of a character device
 * @binding: filled
 *
 * Return: 0, or a negative errno if no device is behind it, or none that its
 * driver lets go of by name.
 */
int drive_find_node(int node, struct binding *binding);

/**
 * drive - write a device's name to a file of its driver
 * @driver: folder of the driver in sysfs
 * @action: "bind" or "unbind"
 * @device: name of the device on its bus, "0000:00:09.0"
 *
 * Return: 0 once the driver is done with it, or a negative errno.
 */
int drive(const char *driver, const char *action, const char *device);

/**
 * drive_guard - give a device back when this process dies without doing so
 * @binding: the driver that shall have it
 *
 * Call this before the device is unbound, and guard_stop() once it is bound
 * again. Mappings of the device must be gone.
 *
 * Return: as guard_start().
 */
pid_t drive_guard(const struct binding *binding);

#endif

// SPDX-License-Identifier: GPL-2.0-only
/* Binds and unbinds devices. */
#include "oracle/drive.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "oracle/guard.h"
#include "pair/kernel.h"

int drive_find(const char *device, struct binding *binding)
{
	char link[96];

	/* The link's folder would be that of all functions. */
	if (!*device)
		return -ENODEV;
	snprintf(binding->device, sizeof(binding->device), "%s", device);
	snprintf(link, sizeof(link), "/sys/bus/pci/devices/%s/driver",
		 binding->device);
	return realpath(link, binding->driver) ? 0 : -errno;
}

/* Where sysfs has the device behind a node, or what belongs to it. */
static int find_device(dev_t node, const char *what, char path[PATH_MAX])
{
	char link[96];

	snprintf(link, sizeof(link), "/sys/dev/char/%u:%u/device%s",
		 major(node), minor(node), what);
	return realpath(link, path) ? 0 : -errno;
}

int drive_find_node(int node, struct binding *binding)
{
	char device[PATH_MAX];
	struct stat status;
	int error;

	if (fstat(node, &status))
		return -errno;
	error = find_device(status.st_rdev, "/driver/unbind", binding->driver);
	if (!error)
		error = find_device(status.st_rdev, "", device);
	if (error)
		return error;
	dirname(binding->driver);
	snprintf(binding->device, sizeof(binding->device), "%.47s",
		 basename(device));
	return 0;
}

int drive(const char *driver, const char *action, const char *device)
{
	char path[PATH_MAX + 16];

	snprintf(path, sizeof(path), "%s/%s", driver, action);
	return kernel_write_text(path, device);
}

/* A driver is not told of a device that it has: EBUSY. */
static void give_back(const void *argument)
{
	const struct binding *binding = argument;

	drive(binding->driver, "bind", binding->device);
}

pid_t drive_guard(const struct binding *binding)
{
	return guard_start(give_back, binding);
}

// SPDX-License-Identifier: GPL-2.0-only
/* Binds and unbinds devices. */
#include "oracle/drive.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "oracle/guard.h"

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

int drive(const char *driver, const char *action, const char *device)
{
	char path[PATH_MAX + 16];
	int fd, error;

	snprintf(path, sizeof(path), "%s/%s", driver, action);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	error = write(fd, device, strlen(device)) < 0 ? -errno : 0;
	close(fd);
	return error;
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

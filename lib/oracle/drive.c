// SPDX-License-Identifier: GPL-2.0-only
/* Binds and unbinds devices. */
#include "oracle/drive.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

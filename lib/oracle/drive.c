// SPDX-License-Identifier: GPL-2.0-only
/* Binds and unbinds devices. */
#include "oracle/drive.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "oracle/cgroup.h"

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

/*
 * In the guard, with its parent's pidfd. Whoever ends the parent may end its
 * session and its control group as well, so the guard leaves both before it says
 * that it is there. A driver is not told of a device that it has: EBUSY.
 */
static void guard(const struct binding *binding, int parent, int ready)
{
	struct pollfd death = { .events = POLLIN };

	setsid();
	cgroup_leave();
	if (dup2(parent, STDIN_FILENO) < 0 || write(ready, "", 1) != 1)
		_exit(1);
	close_range(STDOUT_FILENO, ~0U, 0);
	death.fd = STDIN_FILENO;
	while (poll(&death, 1, -1) < 1)
		;
	drive(binding->driver, "bind", binding->device);
	_exit(0);
}

static pid_t start_guard(const struct binding *binding, int parent,
			 const int ready[2])
{
	pid_t child = fork();
	char byte;

	if (!child) {
		close(ready[0]);
		guard(binding, parent, ready[1]);
	}
	close(ready[1]);
	if (child < 0)
		return -errno;
	if (read(ready[0], &byte, 1) == 1)
		return child;
	drive_unguard(child);
	return -ECHILD;
}

pid_t drive_guard(const struct binding *binding)
{
	int parent = syscall(SYS_pidfd_open, getpid(), 0), ready[2];
	pid_t child;

	if (parent < 0)
		return -errno;
	if (pipe2(ready, O_CLOEXEC)) {
		child = -errno;
		goto close_parent;
	}
	child = start_guard(binding, parent, ready);
	close(ready[0]);
close_parent:
	close(parent);
	return child;
}

void drive_unguard(pid_t guard)
{
	kill(guard, SIGKILL);
	waitpid(guard, NULL, 0);
}

// SPDX-License-Identifier: GPL-2.0-only
#include "agent/fault.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *fault_set(const char *sys_module, const char *fault, int on)
{
	static char why[512];
	const char *colon = strchr(fault, ':');
	const char *name = on && colon ? colon + 1 : "none";
	char path[400];
	ssize_t done;
	int fd;

	if (!colon) {
		snprintf(why, sizeof(why), "fault %s names no module (want "
			 "exporter:NAME or importer:NAME)", fault);
		return why;
	}
	snprintf(path, sizeof(path), "%s/dmabuf_peer_%.*s/parameters/fault",
		 sys_module, (int)(colon - fault), fault);
	fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	done = fd < 0 ? -1 : write(fd, name, strlen(name));
	if (done < 0)
		snprintf(why, sizeof(why), "cannot write %s to %s: %s "
			 "(are the peers built with faults and loaded?)",
			 name, path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return done < 0 ? why : NULL;
}

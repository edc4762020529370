// SPDX-License-Identifier: GPL-2.0-only
#include "agent/fault.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/nic.h"

static char why[512];

static const char *set_parameter(const char *sys_module, const char *module,
				 const char *name)
{
	char path[400];
	ssize_t done;
	int fd;

	snprintf(path, sizeof(path), "%s/%s/parameters/fault", sys_module,
		 module);
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

static const char *set_in_nic(const char *sys_module, const char *module,
			      const char *name)
{
	(void)sys_module;
	(void)module;
	return nic_set_fault(name);
}

/* Whose faults can be switched, and how. */
static const struct channel {
	const char *subject;
	const char *(*set)(const char *sys_module, const char *module,
			   const char *name);
	const char *module;
} channels[] = {
	{ "exporter", set_parameter, "dmabuf_peer_exporter" },
	{ "importer", set_parameter, "dmabuf_peer_importer" },
	{ "umem", set_parameter, "dmabuf_peer_umem" },
	{ "core", set_parameter, "dmabuf_peer_core" },
	{ "nic", set_in_nic, NULL },
};

static const struct channel *find_channel(const char *fault, size_t length)
{
	for (size_t i = 0; i < sizeof(channels) / sizeof(*channels); i++)
		if (strlen(channels[i].subject) == length &&
		    !strncmp(channels[i].subject, fault, length))
			return &channels[i];
	return NULL;
}

const char *fault_set(const char *sys_module, const char *fault, int on)
{
	size_t length = strcspn(fault, ":");
	const struct channel *channel = find_channel(fault, length);

	if (!channel || !fault[length]) {
		snprintf(why, sizeof(why), "fault %s: nobody has it (want "
			 "exporter, importer, umem, nic or core, as in "
			 "nic:NAME)",
			 fault);
		return why;
	}
	return channel->set(sys_module, channel->module,
			    on ? fault + length + 1 : "none");
}

// SPDX-License-Identifier: GPL-2.0-only
/* Reads the topology of PCI and IOMMU from sysfs. */
#include "oracle/topology.h"

#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <linux/pci_regs.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pair/kernel.h"

#define DEVICES		"/sys/bus/pci/devices"
#define ZEN_FAMILY	0x17

#ifndef PCI_CFG_SPACE_SIZE
#define PCI_CFG_SPACE_SIZE	256
#endif
#define CAPABILITIES_MAX	48

/* "/sys/devices/pci0000:00/0000:00:1c.0/0000:01:00.0": all bridges above it, and itself. */
static bool path_of(const char *device, char path[PATH_MAX])
{
	char link[64];

	snprintf(link, sizeof(link), DEVICES "/%.15s", device);
	return realpath(link, path);
}

/* Where the path of a device leaves that of another, behind the last bridge that both have. */
static size_t fork_of(const char *path, const char *other)
{
	size_t fork = 0;

	for (size_t at = 0; path[at] && path[at] == other[at]; at++)
		if (path[at] == '/')
			fork = at + 1;
	return fork;
}

/* Of the capabilities beyond the first 256 bytes, the one with this number; 0 if there is none. */
static unsigned int find_capability(int config, uint16_t number)
{
	unsigned int at = PCI_CFG_SPACE_SIZE;
	uint32_t head;

	for (int i = 0; at >= PCI_CFG_SPACE_SIZE && i < CAPABILITIES_MAX; i++) {
		if (pread(config, &head, sizeof(head), at) != sizeof(head))
			break;
		if (PCI_EXT_CAP_ID(head) == number)
			return at;
		at = PCI_EXT_CAP_NEXT(head);
	}
	return 0;
}

/* Whether a port sends up to the host bridge what is for its neighbours. */
static bool redirects(const char *port)
{
	const uint16_t mask = PCI_ACS_RR | PCI_ACS_CR | PCI_ACS_EC;
	uint16_t control = 0;
	unsigned int at;
	char path[80];
	int config;

	snprintf(path, sizeof(path), DEVICES "/%.15s/config", port);
	config = open(path, O_RDONLY | O_CLOEXEC);
	if (config < 0)
		return false;
	at = find_capability(config, PCI_EXT_CAP_ID_ACS);
	if (!at || pread(config, &control, sizeof(control),
			 at + PCI_ACS_CTRL) != sizeof(control))
		control = 0;
	close(config);
	return control & mask;
}

/* Whether a bridge between the fork and the device does; its own name is the last. */
static bool one_redirects(char *path, size_t fork)
{
	char *at = path + fork, *end;

	for (; (end = strchr(at, '/')); at = end + 1) {
		*end = '\0';
		if (redirects(at))
			return true;
	}
	return false;
}

/* Whether both are below a bridge that is no host bridge, and reach each other there. */
static bool share_switch(const char *device, const char *memory)
{
	static char first[PATH_MAX], second[PATH_MAX];
	size_t fork, host;

	if (!path_of(device, first) || !path_of(memory, second))
		return false;
	fork = fork_of(first, second);
	host = strlen("/sys/devices/pci0000:00/");
	return fork > host && !one_redirects(first, fork) &&
	       !one_redirects(second, fork);
}

/* The name of its IOMMU group, empty if it is in none. */
static void group_of(const char *device, char *group, size_t size)
{
	char link[80], target[PATH_MAX];
	ssize_t length;

	*group = '\0';
	snprintf(link, sizeof(link), DEVICES "/%.15s/iommu_group", device);
	length = readlink(link, target, sizeof(target) - 1);
	if (length < 0)
		return;
	target[length] = '\0';
	snprintf(group, size, "%s", basename(target));
}

static bool is_translated(const char *device)
{
	char group[16], path[64], type[32];

	group_of(device, group, sizeof(group));
	if (!*group)
		return false;
	snprintf(path, sizeof(path), "/sys/kernel/iommu_groups/%s/type", group);
	return kernel_read_line(path, type, sizeof(type)) <= 0 ||
	       strcmp(type, "identity");
}

static bool is_zen(void)
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	bool amd = false, zen = false;
	int family = 0;
	char line[256];

	while (file && fgets(line, sizeof(line), file) && *line != '\n') {
		amd |= !strncmp(line, "vendor_id", 9) &&
		       (strstr(line, "AuthenticAMD") ||
			strstr(line, "HygonGenuine"));
		zen |= sscanf(line, "cpu family : %d", &family) == 1 &&
		       family >= ZEN_FAMILY;
	}
	if (file)
		fclose(file);
	return amd && zen;
}

enum reach topology_reach(const char *device, const char *memory)
{
	if (share_switch(device, memory))
		return REACH_BUS;
	if (!is_zen())
		return REACH_UNKNOWN;
	return is_translated(device) ? REACH_TRANSLATED : REACH_DIRECT;
}

const char *topology_reach_name(enum reach reach)
{
	static const char *const names[REACH_COUNT] = {
		[REACH_UNKNOWN] = "through a host bridge that may be trusted or not",
		[REACH_BUS] = "below one switch",
		[REACH_DIRECT] = "through the host bridge",
		[REACH_TRANSLATED] = "through the host bridge and the IOMMU",
	};

	return names[reach];
}

uint64_t topology_bar(const char *device, unsigned int bar)
{
	unsigned long long start = 0;
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), DEVICES "/%.15s/resource", device);
	file = fopen(path, "re");
	for (unsigned int i = 0; file && i <= bar; i++)
		if (fscanf(file, "%llx %*x %*x", &start) != 1)
			start = 0;
	if (file)
		fclose(file);
	return start;
}

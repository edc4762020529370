// SPDX-License-Identifier: GPL-2.0-only
/* Looks for the functions of vfio-pci in sysfs. */
#include "exporter/vfio_find.h"

#include <dirent.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pair/kernel.h"

#define DEVICES		"/sys/bus/pci/devices"
#define BOUND		"/sys/bus/pci/drivers/vfio-pci"
#define GROUPS		"/sys/kernel/iommu_groups"

/*
 * Devices whose BAR is known to be plain memory: whatever is written there,
 * nothing happens. Tests write to buffers.
 */
static const struct {
	const char *vendor;
	const char *device;
	enum evidence evidence;
} plain_memory[] = {
	{ "0x1af4", "0x1110", EVIDENCE_EMULATED },	/* QEMU's ivshmem */
};

#define PLAIN_COUNT	(sizeof(plain_memory) / sizeof(plain_memory[0]))

static int by_address(const void *a, const void *b)
{
	return strcmp(((const struct vfio_address *)a)->text,
		      ((const struct vfio_address *)b)->text);
}

static bool is_address(const char *name)
{
	unsigned int domain, bus, slot, function;

	return sscanf(name, "%x:%x:%x.%x", &domain, &bus, &slot,
		      &function) == 4;
}

int vfio_find_bound(struct vfio_address *found)
{
	DIR *folder = opendir(BOUND);
	struct dirent *entry;
	int count = 0;

	while (folder && count < VFIO_DEVICES_MAX && (entry = readdir(folder)))
		if (is_address(entry->d_name))
			snprintf(found[count++].text, sizeof(found->text),
				 "%.15s", entry->d_name);
	if (folder)
		closedir(folder);
	qsort(found, count, sizeof(*found), by_address);
	return count;
}

/* The last part of where a link of the function leads; empty if it has none. */
static const char *link_of(const char *address, const char *name)
{
	static char target[PATH_MAX];
	char link[96];
	ssize_t length;

	snprintf(link, sizeof(link), DEVICES "/%.15s/%s", address, name);
	length = readlink(link, target, sizeof(target) - 1);
	if (length < 0)
		return "";
	target[length] = '\0';
	return basename(target);
}

bool vfio_find_node(const char *address, char *path, size_t size)
{
	const char *group = link_of(address, "iommu_group");

	snprintf(path, size, "/dev/vfio/%.16s", group);
	return *group;
}

static bool has_groups(void)
{
	DIR *folder = opendir(GROUPS);
	struct dirent *entry;
	bool found = false;

	while (folder && !found && (entry = readdir(folder)))
		found = entry->d_name[0] != '.';
	if (folder)
		closedir(folder);
	return found;
}

static void check_kernel(struct backend *backend)
{
	backend_needs_module(backend, "vfio_pci", "CONFIG_VFIO_PCI");
	backend_needs_module(backend, "vfio_iommu_type1",
			     "CONFIG_VFIO_IOMMU_TYPE1");
	if (kernel_config("CONFIG_VFIO_PCI_DMABUF") == CONFIG_OFF)
		backend_reason(backend, "kernel %s was built without CONFIG_VFIO_PCI_DMABUF, which came with 6.19",
			       kernel_release());
}

static void needs_groups(struct backend *backend)
{
	if (!has_groups())
		backend_reason(backend, "no device is in an IOMMU group: switch the IOMMU on in the firmware, and with intel_iommu=on");
}

void vfio_find_why_none(struct backend *backend)
{
	backend_set_driver(backend, "vfio_pci");
	check_kernel(backend);
	needs_groups(backend);
	backend_reason(backend, "no PCI device is bound to vfio-pci: echo vfio-pci > " DEVICES "/ADDRESS/driver_override, unbind its driver, then drivers_probe");
}

static void check_driver(struct backend *backend, const char *address)
{
	const char *driver = link_of(address, "driver");

	if (!*driver)
		backend_reason(backend, "device %s has no driver: bind it to vfio-pci, by its driver_override",
			       address);
	else if (strcmp(driver, "vfio-pci"))
		backend_reason(backend, "device %s is bound to %.48s: unbind it there and bind it to vfio-pci, by its driver_override",
			       address, driver);
}

static void check_group(struct backend *backend, const char *address)
{
	char node[32];

	if (!vfio_find_node(address, node, sizeof(node)))
		needs_groups(backend);
	else
		backend_needs_node(backend, node, "vfio-pci makes it when it has the device, with CONFIG_VFIO_GROUP");
}

static bool has_number(const char *address, const char *file, const char *value)
{
	char path[64], line[16];

	snprintf(path, sizeof(path), DEVICES "/%.15s/%s", address, file);
	return kernel_read_line(path, line, sizeof(line)) > 0 &&
	       !strcmp(line, value);
}

/* What stands behind the BARs of other devices nobody knows. */
static void check_memory(struct backend *backend, const char *address)
{
	backend->evidence = EVIDENCE_HARDWARE;
	for (size_t i = 0; i < PLAIN_COUNT; i++)
		if (has_number(address, "vendor", plain_memory[i].vendor) &&
		    has_number(address, "device", plain_memory[i].device)) {
			backend->evidence = plain_memory[i].evidence;
			return;
		}
	if (!getenv("DMABUF_CTS_DISRUPTIVE"))
		backend_reason(backend, "device %s may have registers in its BAR, and tests write there and switch it off: say --allow-disruptive to use it",
			       address);
}

bool vfio_find_check(struct backend *backend, const char *address)
{
	char path[64];

	backend_set_driver(backend, "vfio_pci");
	snprintf(backend->device, sizeof(backend->device), "%.15s", address);
	snprintf(path, sizeof(path), DEVICES "/%.15s", address);
	check_kernel(backend);
	if (access(path, F_OK)) {
		backend_reason(backend, "there is no PCI device %.15s", address);
		return false;
	}
	check_driver(backend, address);
	check_group(backend, address);
	check_memory(backend, address);
	return !backend->reason_count;
}

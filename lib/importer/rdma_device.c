// SPDX-License-Identifier: GPL-2.0-only
/* Finds RDMA devices, their nodes and their drivers in sysfs. */
#include "importer/rdma_device.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pair/kernel.h"

#define DEVICES	"/sys/class/infiniband"
#define NODES	"/sys/class/infiniband_verbs"

/*
 * The driver of the PCI function is often the Ethernet half; the RDMA half
 * sits on top of it. Where they have one name nothing is listed.
 */
static const struct {
	const char *function;
	const char *rdma;
} halves[] = {
	{ "mlx4_core", "mlx4_ib" },
	{ "mlx5_core", "mlx5_ib" },
	{ "ice", "irdma" },
	{ "i40e", "irdma" },
	{ "idpf", "irdma" },
	{ "bnxt_en", "bnxt_re" },
	{ "mana", "mana_ib" },
	{ "ionic", "ionic_rdma" },
	{ "cxgb4", "iw_cxgb4" },
	{ "qede", "qedr" },
	{ "hns3", "hns_roce_hw_v2" },
};

static const char *rdma_half(const char *function)
{
	for (size_t i = 0; i < sizeof(halves) / sizeof(halves[0]); i++)
		if (!strcmp(halves[i].function, function))
			return halves[i].rdma;
	return function;
}

/* The last part of where a link leads, or an empty text. */
static void follow(char *name, size_t size, const char *format,
		   const char *device)
{
	char link[PATH_MAX], target[PATH_MAX];

	name[0] = '\0';
	snprintf(link, sizeof(link), format, device);
	if (realpath(link, target))
		snprintf(name, size, "%s", strrchr(target, '/') + 1);
}

static void find_node(struct rdma_device *device)
{
	struct dirent **entries;
	char path[PATH_MAX], name[sizeof(device->name)];
	int count = scandir(NODES, &entries, NULL, versionsort);

	for (int i = 0; i < count; i++) {
		snprintf(path, sizeof(path), NODES "/%s/ibdev",
			 entries[i]->d_name);
		if (kernel_read_line(path, name, sizeof(name)) > 0 &&
		    !strcmp(name, device->name))
			snprintf(device->node, sizeof(device->node),
				 "/dev/infiniband/%.40s", entries[i]->d_name);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

static void describe(const char *name, struct rdma_device *device)
{
	char text[64];

	memset(device, 0, sizeof(*device));
	snprintf(device->name, sizeof(device->name), "%.63s", name);
	follow(device->parent, sizeof(device->parent), DEVICES "/%s/device",
	       name);
	follow(text, sizeof(text), DEVICES "/%s/device/subsystem", name);
	device->pci = !strcmp(text, "pci");
	follow(text, sizeof(text), DEVICES "/%s/device/driver", name);
	snprintf(device->driver, sizeof(device->driver), "%.47s",
		 rdma_half(text));
	find_node(device);
}

int rdma_devices(struct rdma_device *devices)
{
	struct dirent **entries;
	int found = 0, count = scandir(DEVICES, &entries, NULL, versionsort);

	for (int i = 0; i < count; i++) {
		if (entries[i]->d_name[0] != '.' && found < RDMA_DEVICES_MAX)
			describe(entries[i]->d_name, &devices[found++]);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	return found;
}

static bool is_called(const struct rdma_device *device, const char *name)
{
	return !name || !strcmp(name, device->name) ||
	       (device->pci && !strcmp(name, device->parent));
}

int rdma_find(const char *name, struct rdma_device *device)
{
	struct dirent **entries;
	int ret = -ENODEV, count = scandir(DEVICES, &entries, NULL, versionsort);

	for (int i = 0; i < count; i++) {
		if (ret && entries[i]->d_name[0] != '.') {
			describe(entries[i]->d_name, device);
			ret = is_called(device, name) ? 0 : -ENODEV;
		}
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	return ret;
}

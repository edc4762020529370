/* SPDX-License-Identifier: GPL-2.0-only */
/* RDMA devices as sysfs shows them, found without any library. */
#ifndef CTS_RDMA_DEVICE_H
#define CTS_RDMA_DEVICE_H

#include <stdbool.h>

#define RDMA_DEVICES_MAX	32

struct rdma_device {
	char name[64];		/* "efa_0" */
	char node[64];		/* "/dev/infiniband/uverbs0"; empty without ib_uverbs */
	char parent[48];	/* device it stands on, "0000:00:09.0"; empty if it has none */
	bool pci;		/* @parent is a PCI address */
	char driver[48];	/* module of the RDMA driver, or empty */
};

/**
 * rdma_devices - list the RDMA devices, in the order of their names
 * @devices: room for RDMA_DEVICES_MAX
 *
 * Return: how many were listed; there may be more, which rdma_find() finds too.
 */
int rdma_devices(struct rdma_device *devices);

/**
 * rdma_find - find one device
 * @name: "efa_0", "0000:00:09.0", or NULL for the first
 * @device: filled; on failure its content means nothing
 *
 * Return: 0 or -ENODEV.
 */
int rdma_find(const char *name, struct rdma_device *device);

#endif

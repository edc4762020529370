/* SPDX-License-Identifier: GPL-2.0-only */
/* Which PCI functions vfio-pci has, and why one cannot be used: what sysfs says. */
#ifndef CTS_VFIO_FIND_H
#define CTS_VFIO_FIND_H

#include <stdbool.h>
#include <stddef.h>

#include "pair/backend.h"

#define VFIO_DEVICES_MAX	8

/* A PCI address with its domain. */
struct vfio_address {
	char text[16];
};

/**
 * vfio_find_bound - the functions that are bound to vfio-pci
 * @found: room for VFIO_DEVICES_MAX
 *
 * Return: how many there are, sorted by address.
 */
int vfio_find_bound(struct vfio_address *found);

/**
 * vfio_find_node - the device node of a function's IOMMU group
 * @address: of the function
 * @path: room for it
 * @size: bytes at @path
 *
 * Return: false if the function is in no group.
 */
bool vfio_find_node(const char *address, char *path, size_t size);

/**
 * vfio_find_why_none - say what keeps any function from being exported
 * @backend: gets all the reasons there are
 */
void vfio_find_why_none(struct backend *backend);

/**
 * vfio_find_check - say what keeps one function from being opened
 * @backend: gets its driver, device and evidence, and all the reasons there are
 * @address: of the function
 *
 * Return: true if there is no reason.
 */
bool vfio_find_check(struct backend *backend, const char *address);

#endif

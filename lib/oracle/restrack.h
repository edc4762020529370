/* SPDX-License-Identifier: GPL-2.0-only */
/* What the kernel tells over netlink of the objects of RDMA devices. */
#ifndef CTS_RESTRACK_H
#define CTS_RESTRACK_H

#include <stdint.h>

/**
 * restrack_regions - memory regions of this process, as "rdma resource" has them
 * @device: name of the RDMA device, "efa_0"
 * @lengths: gets the length of each, in bytes
 * @capacity: entries that fit at @lengths
 *
 * Return: how many there are, which may exceed @capacity; -ENODEV if there is
 * no such device, or another negative errno.
 */
int restrack_regions(const char *device, uint64_t *lengths, int capacity);

/**
 * restrack_device - the kernel's number of an RDMA device
 * @device: its name
 * @index: set to the number
 *
 * Return: 0, -ENODEV if there is no such device, or another negative errno.
 */
int restrack_device(const char *device, uint32_t *index);

#endif

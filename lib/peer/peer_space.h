/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A device of ours that joins an address space of iommufd, as a device that is
 * given to user space does; and access to that space by the CPU.
 */
#ifndef CTS_PEER_SPACE_H
#define CTS_PEER_SPACE_H

#include <stdint.h>

#include "importer/importer.h"
#include "peer/kmod/uapi/dmabuf_peer_space.h"

/**
 * peer_space_open - open the module that has the device
 * @backend: gets all the reasons why it is not there
 *
 * Return: a descriptor to be closed, which ends all that was done by it, or a
 * negative errno.
 */
int peer_space_open(struct backend *backend);

/**
 * peer_space_join - have the device join an importer's address space
 * @space: as peer_space_open() returned it
 * @importer: an open iommufd importer
 *
 * Return: 0, -ENODEV if there is no device, -EBUSY if it is in another, or the
 * errno of iommufd_device_bind() or iommufd_device_attach(): -EINVAL without an
 * IOMMU.
 */
int peer_space_join(int space, const struct importer *importer);

/**
 * peer_space_leave - have it leave
 *
 * Return: 0 or a negative errno.
 */
int peer_space_leave(int space);

/**
 * peer_space_look - where the IOMMU leads the device
 * @space: as peer_space_open() returned it
 * @address: that the device would use
 *
 * Return: a physical address; 0 if the device would reach nothing there, and
 * all bits set if the device is in no address space.
 */
uint64_t peer_space_look(int space, uint64_t address);

/**
 * peer_space_access - reach for an importer's address space by the CPU
 * @space: as peer_space_open() returned it
 * @importer: an open iommufd importer
 * @way: enum peer_space_way
 * @address: in the address space
 * @length: bytes, at most PEER_SPACE_LENGTH_MAX
 *
 * Return: 0 or the errno of iommufd_access_rw() or iommufd_access_pin_pages().
 */
int peer_space_access(int space, const struct importer *importer,
		      enum peer_space_way way, uint64_t address,
		      uint64_t length);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A PCI function that is bound to vfio-pci, opened through its IOMMU group,
 * and the largest memory BAR of it that the CPU can map. One process at a
 * time can have it.
 */
#ifndef CTS_VFIO_DEVICE_H
#define CTS_VFIO_DEVICE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exporter/exporter.h"
#include "exporter/vfio_uapi.h"

struct vfio_device {
	char address[16];	/* "0000:00:03.0" */
	int container;		/* open files, or -1 */
	int group;
	int device;
	uint64_t config;	/* where in the device's file its config space is */
	uint32_t bar;		/* number of the BAR */
	size_t size;		/* bytes of it */
	uint8_t *memory;	/* it, mapped */
	pthread_mutex_t lock;	/* of @taken */
	uint8_t *taken;		/* a byte for each page that a buffer has */
};

/**
 * vfio_device_open - open it and switch its memory on
 * @device: .address is set
 * @backend: gets all the reasons why it cannot be used
 *
 * Never binds a device, nor takes one from its driver.
 *
 * Return: 0 or a negative errno.
 */
int vfio_device_open(struct vfio_device *device, struct backend *backend);

/**
 * vfio_device_close - close it, which revokes what was exported; again does nothing
 */
void vfio_device_close(struct vfio_device *device);

/**
 * vfio_device_of - the device behind an exporter
 *
 * Return: the device, or NULL if the exporter is not of this back end.
 */
struct vfio_device *vfio_device_of(const struct exporter *exporter);

/**
 * vfio_offset_of - where in the BAR a buffer of this back end begins
 */
size_t vfio_offset_of(const struct buffer *buffer);

/**
 * vfio_device_export - VFIO_DEVICE_FEATURE for a dma-buf, as it is
 * @device: an open device
 * @request: what to ask for; argsz and flags are filled in
 * @count: ranges that follow it, whatever range_count says
 *
 * Return: the dma-buf, or a negative errno.
 */
int vfio_device_export(struct vfio_device *device, struct vfio_export *request,
		       size_t count);

/**
 * vfio_device_export_ranges - a dma-buf of some pieces of the BAR
 * @device: an open device
 * @ranges: the pieces, in their order in the buffer
 * @count: how many
 *
 * Return: the dma-buf, close-on-exec and for reading and writing, or a negative
 * errno.
 */
int vfio_device_export_ranges(struct vfio_device *device,
			      const struct vfio_range *ranges, size_t count);

/**
 * vfio_device_switch - switch the memory of the device on or off in PCI_COMMAND
 *
 * Off revokes what was exported, and waits until nobody uses it; on takes that
 * back.
 *
 * Return: 0, -EIO if it did not switch, or another negative errno.
 */
int vfio_device_switch(struct vfio_device *device, bool on);

/**
 * vfio_device_is_on - whether PCI_COMMAND has its memory on
 */
bool vfio_device_is_on(const struct vfio_device *device);

/**
 * vfio_device_reset - VFIO_DEVICE_RESET, which also revokes and takes it back
 *
 * Return: 0, -EOPNOTSUPP if the device has no reset, or another negative errno.
 */
int vfio_device_reset(struct vfio_device *device);

/**
 * vfio_device_take, vfio_device_give - pages of the BAR for a buffer
 * @offset: filled with, or, where they begin
 * @size: bytes, a multiple of the page size
 *
 * Return: 0, or -ENOSPC if no such piece is left.
 */
int vfio_device_take(struct vfio_device *device, size_t size, size_t *offset);
void vfio_device_give(struct vfio_device *device, size_t offset, size_t size);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* The device behind a PCI function, as the transport sees it. */
#ifndef CTS_NIC_DEVICE_H
#define CTS_NIC_DEVICE_H

#include <stdint.h>

#include "nic/function.h"
#include "nic/options.h"

struct device;
struct fabric;

/** fabric_new - what devices of one server reach each other over, or NULL */
struct fabric *fabric_new(void);

/** fabric_free - after its last device; NULL is allowed */
void fabric_free(struct fabric *fabric);

/**
 * device_new - a device that has just been switched on
 * @function: its way to the guest; must outlive the device
 * @fabric: joined until the device goes
 * @options: must outlive the device
 *
 * Return: the device, or NULL.
 */
struct device *device_new(struct function *function, struct fabric *fabric,
			  const struct options *options);

/** device_free - leave the fabric, drop all objects; NULL is allowed */
void device_free(struct device *device);

/**
 * device_reset - forget all objects and registers
 *
 * For a reset that the client asks for, and when one has left; the device touches
 * no guest memory meanwhile.
 */
void device_reset(struct device *device);

/**
 * device_register_read - read a register by MMIO
 * @offset: in BAR 0, a multiple of 4 below 4096; 0xffffffff where there is none
 */
uint32_t device_register_read(struct device *device, uint32_t offset);

/** device_register_write - likewise; what cannot be written is left as it is */
void device_register_write(struct device *device, uint32_t offset, uint32_t value);

/**
 * device_doorbell_write - ring a doorbell
 * @offset: in BAR 4, a multiple of 4 below FUNCTION_DOORBELLS_SIZE
 */
void device_doorbell_write(struct device *device, uint32_t offset, uint32_t value);

/**
 * device_tick - do what was put off until now
 * @now_ns: CLOCK_MONOTONIC, nanoseconds
 *
 * Called after each batch of messages, and when the time that it gave is over.
 *
 * Return: milliseconds until it wants to be called again; -1 for not at all.
 */
int device_tick(struct device *device, uint64_t now_ns);

/**
 * device_region_bytes - how much was moved through a region
 * @key: of the region; a dead key still tells until another region has its place
 * @read: bytes read out of it, out
 * @written: bytes written into it, out
 *
 * Return: 0 or -ENOENT.
 */
int device_region_bytes(struct device *device, uint32_t key, uint64_t *read,
			uint64_t *written);

#endif

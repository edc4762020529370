/* SPDX-License-Identifier: GPL-2.0-only */
/* One PCI function, as its client sees it: the way to the device. */
#ifndef CTS_NIC_BUS_H
#define CTS_NIC_BUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nic/device.h"
#include "nic/function.h"
#include "nic/instrument.h"
#include "nic/interrupt.h"
#include "nic/pci.h"

struct function {
	unsigned int number;
	char name[16];
	const struct options *options;
	struct memory *memory;
	struct counters counters;
	struct controls controls;
	struct instrument instrument;
	struct interrupts interrupts;
	struct pci pci;
	int llq_fd;		/* the file behind the LLQ BAR */
	uint8_t *llq;
	struct device *device;
};

/**
 * function_new - a function and its device
 * @number: 0, 1, ...
 * @fabric: that the device joins
 * @options: must outlive the function
 *
 * Return: the function, or NULL if memory or descriptors are short.
 */
struct function *function_new(unsigned int number, struct fabric *fabric,
			      const struct options *options);

/** function_free - the function, its device and all that it has of its guest */
void function_free(struct function *function);

/** function_connect - a client has come: all is as after power on */
void function_connect(struct function *function);

/** function_disconnect - it has left: nothing of its guest is kept */
void function_disconnect(struct function *function);

/** function_reset - the client asks for a reset; mappings and eventfds are its own and stay */
void function_reset(struct function *function);

/**
 * region_read - the guest reads a BAR or configuration space
 * @region: VFIO_PCI_..._REGION_INDEX
 * @offset: first byte
 * @count: bytes, at least 1
 * @data: what is read, out
 *
 * Registers answer to words of 32 bits; other accesses find zeros.
 *
 * Return: 0, or -EINVAL if the region does not have all of these bytes.
 */
int region_read(struct function *function, uint32_t region, uint64_t offset,
		uint32_t count, uint8_t *data);

/** region_write - likewise; other accesses than to words are dropped */
int region_write(struct function *function, uint32_t region, uint64_t offset,
		 uint32_t count, const uint8_t *data);

/** region_size - bytes; 0 for a region that there is not */
uint64_t region_size(uint32_t region);

#endif

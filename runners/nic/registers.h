/* SPDX-License-Identifier: GPL-2.0-only */
/* The registers of BAR 0. */
#ifndef CTS_NIC_REGISTERS_H
#define CTS_NIC_REGISTERS_H

#include <stdint.h>

#include "nic/wire/registers.h"

struct device;

struct registers {
	uint32_t words[REGISTERS_END / 4];
};

/** registers_reset - values of a device that has just been switched on */
void registers_reset(struct device *device);

/** register_value - of the register at a byte offset, which must exist */
uint32_t register_value(const struct device *device, unsigned int offset);

/** register_address - of a pair of registers, low half at the offset */
uint64_t register_address(const struct device *device, unsigned int offset);

#endif

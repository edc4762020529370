/* SPDX-License-Identifier: GPL-2.0-only */
/* The instrument page of a function; wire/instrument.h says what is where. */
#ifndef CTS_NIC_INSTRUMENT_H
#define CTS_NIC_INSTRUMENT_H

#include <stdint.h>

#include "nic/device.h"

/* What reads depend on, beside what they read. All zero at first. */
struct instrument {
	uint32_t fault;		/* what a write switched on, until it is read */
	uint32_t high;		/* of the counter whose low half was read last */
	uint32_t key;		/* region that was asked for */
	uint32_t known;
	uint64_t read, written;	/* bytes of that region */
};

/**
 * instrument_read - read a register
 * @instrument: of the function
 * @offset: in the page, a multiple of 4
 *
 * Return: its value; 0 where there is none.
 */
uint32_t instrument_read(struct instrument *instrument, struct function *function,
			 uint32_t offset);

/** instrument_write - write a register; what cannot be written is left as it is */
void instrument_write(struct instrument *instrument, struct function *function,
		      struct device *device, uint32_t offset, uint32_t value);

#endif

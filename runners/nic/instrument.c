// SPDX-License-Identifier: GPL-2.0-only
#include "nic/instrument.h"

#include <stdbool.h>
#include <string.h>

#include "nic/log.h"
#include "nic/wire/instrument.h"

_Static_assert(sizeof(struct counters) == COUNTERS * sizeof(uint64_t),
	       "counters are found by their index");
_Static_assert(sizeof(struct controls) == CONTROLS * sizeof(uint32_t),
	       "controls are found by their index");

static uint32_t read_counter(struct instrument *instrument,
			     struct function *function, uint32_t offset)
{
	uint32_t index = (offset - INSTRUMENT_COUNTER_LO(0)) / 8;
	const char *counters = (const char *)function_counters(function);
	uint64_t value;

	if (offset == INSTRUMENT_COUNTER_HI(index))
		return instrument->high;
	memcpy(&value, counters + index * sizeof(value), sizeof(value));
	instrument->high = value >> 32;
	return value;
}

/* Where a control is, or NULL. */
static void *control_at(struct function *function, uint32_t offset)
{
	if (offset < INSTRUMENT_CONTROL(0) ||
	    offset >= INSTRUMENT_CONTROL(CONTROLS))
		return NULL;
	return (char *)function_controls(function) +
	       (offset - INSTRUMENT_CONTROL(0));
}

static uint32_t read_control(const void *control)
{
	uint32_t value;

	memcpy(&value, control, sizeof(value));
	return value;
}

/* The runner asks whether it was heard. Tests do not learn what they are to notice. */
static uint32_t read_fault(struct instrument *instrument)
{
	uint32_t fault = instrument->fault;

	instrument->fault = FAULT_none;
	return fault;
}

static void write_fault(struct instrument *instrument, struct function *function,
			uint32_t value)
{
	bool known = fault_set(value);

	instrument->fault = known ? value : INSTRUMENT_FAULT_UNKNOWN;
	log_line(LOG_EVENT, function_name(function), known ? "fault %u is on" :
		 "there is no fault %u", value);
}

static uint32_t read_fixed(struct instrument *instrument, uint32_t offset)
{
	switch (offset) {
	case INSTRUMENT_MAGIC:
		return INSTRUMENT_MAGIC_VALUE;
	case INSTRUMENT_VERSION:
		return INSTRUMENT_VERSION_VALUE;
	case INSTRUMENT_COUNTERS:
		return COUNTERS;
	case INSTRUMENT_CONTROLS:
		return CONTROLS;
	case INSTRUMENT_FAULT:
		return read_fault(instrument);
	case INSTRUMENT_REGION_KEY:
		return instrument->key;
	case INSTRUMENT_REGION_KNOWN:
		return instrument->known;
	case INSTRUMENT_REGION_READ_LO:
		return instrument->read;
	case INSTRUMENT_REGION_READ_HI:
		return instrument->read >> 32;
	case INSTRUMENT_REGION_WRITTEN_LO:
		return instrument->written;
	case INSTRUMENT_REGION_WRITTEN_HI:
		return instrument->written >> 32;
	}
	return 0;
}

uint32_t instrument_read(struct instrument *instrument, struct function *function,
			 uint32_t offset)
{
	const void *control = control_at(function, offset);

	if (control)
		return read_control(control);
	if (offset >= INSTRUMENT_COUNTER_LO(0) &&
	    offset < INSTRUMENT_COUNTER_LO(COUNTERS))
		return read_counter(instrument, function, offset);
	return read_fixed(instrument, offset);
}

static void ask_for_region(struct instrument *instrument, struct device *device,
			   uint32_t key)
{
	instrument->key = key;
	instrument->read = instrument->written = 0;
	instrument->known = !device_region_bytes(device, key, &instrument->read,
						 &instrument->written);
}

void instrument_write(struct instrument *instrument, struct function *function,
		      struct device *device, uint32_t offset, uint32_t value)
{
	void *control = control_at(function, offset);

	if (control)
		memcpy(control, &value, sizeof(value));
	else if (offset == INSTRUMENT_REGION_KEY)
		ask_for_region(instrument, device, value);
	else if (offset == INSTRUMENT_FAULT)
		write_fault(instrument, function, value);
}

// SPDX-License-Identifier: GPL-2.0-only
#include "nic/in_flight.h"

#include <string.h>

#include "nic/fault.h"
#include "nic/memory.h"
#include "nic/memory_file.h"
#include "nic/state.h"

/* Milliseconds for which it waits, and between two looks at the place. */
#define PATIENCE	300
#define PERIOD		5

/*
 * A region that was written as a whole: such a write does harm where the memory has become
 * someone else's, so that most tests are spared it.
 */
static bool is_busy(const struct region *region)
{
	return region->length >= IN_FLIGHT_BYTES && region->bytes_written >= region->length;
}

void in_flight_take(struct device *device, const struct region *region)
{
	struct in_flight *write = &device->in_flight;
	size_t length = IN_FLIGHT_BYTES;
	uint64_t place;

	if (!nic_fault(write_in_flight) || !is_busy(region))
		return;
	in_flight_drop(device);
	place = mr_place(region, region->address, &length);
	if (length < IN_FLIGHT_BYTES)
		return;
	write->place = memory_hold(device_memory(device), place, &write->file);
	if (!write->place)
		return;
	memcpy(write->bytes, write->place, IN_FLIGHT_BYTES);
	write->until = device_clock() + PATIENCE * MILLISECOND;
}

int in_flight_tick(struct device *device, uint64_t now_ns)
{
	struct in_flight *write = &device->in_flight;

	if (!write->file)
		return -1;
	if (write->due && now_ns >= write->due) {
		memcpy(write->place, write->bytes, IN_FLIGHT_BYTES);
		in_flight_drop(device);
		return -1;
	}
	if (now_ns >= write->until) {
		in_flight_drop(device);
		return -1;
	}
	if (!write->due && memcmp(write->place, write->bytes, IN_FLIGHT_BYTES))
		write->due = now_ns + PERIOD * MILLISECOND;
	return PERIOD;
}

void in_flight_drop(struct device *device)
{
	if (device->in_flight.file)
		memory_file_put(device->in_flight.file);
	device->in_flight = (struct in_flight){ 0 };
}

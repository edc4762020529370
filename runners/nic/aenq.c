// SPDX-License-Identifier: GPL-2.0-only
#include "nic/aenq.h"

#include <stddef.h>

#include "nic/state.h"

/* Milliseconds between two signs of life. */
#define PERIOD	1000

static void store(struct device *device, uint16_t group, uint64_t now_ns)
{
	struct memory *memory = device_memory(device);
	uint32_t shape = register_value(device, REGISTER_AENQ_SHAPE);
	uint32_t depth = SHAPE_DEPTH(shape);
	uint16_t seen = register_value(device, REGISTER_AENQ_DOORBELL);
	struct async_event event = {
		.group = group,
		.time_low = now_ns,
		.time_high = now_ns >> 32,
	};
	size_t at = offsetof(struct async_event, flags);
	uint64_t address;

	/* A ring that is not there, not to be counted round, or full. */
	if (!depth || depth & (depth - 1) || SHAPE_ENTRY_SIZE(shape) != sizeof(event) ||
	    (uint16_t)(device->aenq.stored - seen) >= depth)
		return;
	address = register_address(device, REGISTER_AENQ_BASE) +
		  (uint64_t)(device->aenq.stored % depth) * sizeof(event);
	event.flags = device->aenq.stored / depth & 1 ? 0 : ADMIN_PHASE;
	device->aenq.stored++;
	if (memory_write(memory, address, &event, at) ||
	    memory_write(memory, address + at + 1, (char *)&event + at + 1,
			 sizeof(event) - at - 1) ||
	    memory_store_u8_release(memory, address + at, event.flags))
		return;
	function_interrupt(device->function, SHAPE_VECTOR(shape));
}

void aenq_enable(struct device *device, uint32_t groups)
{
	device->aenq.groups = groups;
	device->aenq.next = device_clock() + PERIOD * MILLISECOND;
}

int aenq_tick(struct device *device, uint64_t now_ns)
{
	struct aenq *aenq = &device->aenq;

	if (!(aenq->groups & 1u << GROUP_KEEP_ALIVE))
		return -1;
	if (now_ns >= aenq->next) {
		store(device, GROUP_KEEP_ALIVE, now_ns);
		aenq->next = now_ns + PERIOD * MILLISECOND;
	}
	return (aenq->next - now_ns + MILLISECOND - 1) / MILLISECOND;
}

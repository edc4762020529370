// SPDX-License-Identifier: GPL-2.0-only
#include "nic/eq.h"

#include <stddef.h>

#include "nic/slots.h"
#include "nic/state.h"

struct eq *eq_find(struct device *device, unsigned int number)
{
	return SLOT_LIVE(device->eqs.slots, number);
}

/* An interrupt, if the driver waits for one and there is something that it was not told. */
static void tell(struct device *device, struct eq *eq)
{
	if (!eq->armed || eq->told == eq->stored)
		return;
	eq->armed = false;
	eq->told = eq->stored;
	function_interrupt(device->function, eq->vector);
}

bool eq_store(struct device *device, struct eq *eq, uint16_t cq)
{
	struct memory *memory = device_memory(device);
	struct event event = { .cq = cq };
	uint64_t address = eq->ring + (uint64_t)(eq->stored % eq->depth) * sizeof(event);
	size_t skip = sizeof(event.phase);

	if (eq->stored - eq->seen >= eq->depth)
		return false;
	event.phase = !(eq->stored / eq->depth & 1);
	eq->stored++;
	if (memory_write(memory, address + skip, (char *)&event + skip, sizeof(event) - skip) ||
	    memory_store_u32_release(memory, address, event.phase))
		return true;
	tell(device, eq);
	return true;
}

void eq_ring(struct device *device, uint32_t value)
{
	unsigned int number = DOORBELL_INDEX(value);
	struct eq *eq = eq_find(device, number);

	if (!eq || !(value & DOORBELL_ARM))
		return;
	eq->armed = true;
	eq->seen = eq->told;
	tell(device, eq);
	cq_tell_waiting(device, number);
}

enum admin_status eq_create(struct device *device, const struct command *command,
			    void *answer)
{
	const struct create_eq *create = (const void *)command->payload;
	struct number_answer *reply = answer;
	int number;

	if (!create->depth || create->depth > EQ_DEPTH || create->depth & (create->depth - 1) ||
	    create->entry != sizeof(struct event) / 4 || create->vector >= FUNCTION_VECTORS ||
	    create->events & ~EVENT_COMPLETIONS)
		return ADMIN_ILLEGAL;
	number = SLOT_FREE(device->eqs.slots, &device->eqs.next);
	if (number < 0)
		return ADMIN_NO_RESOURCE;
	device->eqs.slots[number] = (struct eq){
		.live = true,
		.ring = WIRE_ADDRESS(create->ring),
		.depth = create->depth,
		.vector = create->vector,
	};
	device_counters(device)->eq_live++;
	reply->number = number;
	return ADMIN_OK;
}

enum admin_status eq_destroy(struct device *device, const struct command *command,
			     void *answer)
{
	const struct number_command *destroy = (const void *)command->payload;
	struct eq *eq = eq_find(device, destroy->number);

	(void)answer;
	if (!eq)
		return ADMIN_ILLEGAL;
	if (eq->users)
		return ADMIN_BUSY;
	eq->live = false;
	device_counters(device)->eq_live--;
	return ADMIN_OK;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "nic/uar.h"

#include "nic/slots.h"
#include "nic/state.h"

struct uar *uar_find(struct device *device, unsigned int number)
{
	return SLOT_LIVE(device->uars.slots, number);
}

enum admin_status uar_alloc(struct device *device, const struct command *command,
			    void *answer)
{
	struct number_answer *reply = answer;
	int number = SLOT_FREE(device->uars.slots, &device->uars.next);

	(void)command;
	if (number < 0)
		return ADMIN_NO_RESOURCE;
	device->uars.slots[number] = (struct uar){ .live = true };
	device_counters(device)->uar_live++;
	reply->number = number;
	return ADMIN_OK;
}

enum admin_status uar_dealloc(struct device *device, const struct command *command,
			      void *answer)
{
	const struct number_command *dealloc = (const void *)command->payload;
	struct uar *uar = uar_find(device, dealloc->number);

	(void)answer;
	if (!uar)
		return ADMIN_ILLEGAL;
	if (uar->users)
		return ADMIN_BUSY;
	uar->live = false;
	device_counters(device)->uar_live--;
	return ADMIN_OK;
}

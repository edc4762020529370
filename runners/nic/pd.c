// SPDX-License-Identifier: GPL-2.0-only
#include "nic/pd.h"

#include "nic/slots.h"
#include "nic/state.h"

struct pd *pd_find(struct device *device, unsigned int number)
{
	return SLOT_LIVE(device->pds.slots, number);
}

enum admin_status pd_alloc(struct device *device, const struct command *command,
			   void *answer)
{
	struct number_answer *reply = answer;
	int number = SLOT_FREE(device->pds.slots, &device->pds.next);

	(void)command;
	if (number < 0)
		return ADMIN_NO_RESOURCE;
	device->pds.slots[number] = (struct pd){ .live = true };
	device_counters(device)->pd_live++;
	reply->number = number;
	return ADMIN_OK;
}

enum admin_status pd_dealloc(struct device *device, const struct command *command,
			     void *answer)
{
	const struct number_command *dealloc = (const void *)command->payload;
	struct pd *pd = pd_find(device, dealloc->number);

	(void)answer;
	if (!pd)
		return ADMIN_ILLEGAL;
	if (pd->users)
		return ADMIN_BUSY;
	pd->live = false;
	device_counters(device)->pd_live--;
	return ADMIN_OK;
}

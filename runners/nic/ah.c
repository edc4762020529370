// SPDX-License-Identifier: GPL-2.0-only
#include "nic/ah.h"

#include <string.h>

#include "nic/slots.h"
#include "nic/state.h"
#include "nic/wire/io.h"

_Static_assert(AHS < NO_HANDLE, "every number is a handle");

struct ah *ah_find(struct device *device, unsigned int number)
{
	return SLOT_LIVE(device->ahs.slots, number);
}

uint16_t ah_of(const struct device *device, uint16_t pd, const uint8_t *gid)
{
	for (uint16_t i = 0; i < AHS; i++) {
		const struct ah *ah = &device->ahs.slots[i];

		if (ah->live && ah->pd == pd && !memcmp(ah->gid, gid, GID_BYTES))
			return i;
	}
	return NO_HANDLE;
}

enum admin_status ah_create(struct device *device, const struct command *command,
			    void *answer)
{
	const struct create_ah *create = (const void *)command->payload;
	struct number_answer *reply = answer;
	struct pd *pd = pd_find(device, create->pd);
	struct ah *ah;
	int number;

	if (!pd)
		return ADMIN_ILLEGAL;
	number = SLOT_FREE(device->ahs.slots, &device->ahs.next);
	if (number < 0)
		return ADMIN_NO_RESOURCE;
	ah = &device->ahs.slots[number];
	*ah = (struct ah){ .live = true, .pd = create->pd };
	memcpy(ah->gid, create->gid, GID_BYTES);
	pd->users++;
	device_counters(device)->ah_live++;
	reply->number = number;
	return ADMIN_OK;
}

enum admin_status ah_destroy(struct device *device, const struct command *command,
			     void *answer)
{
	const struct destroy_ah *destroy = (const void *)command->payload;
	struct ah *ah = ah_find(device, destroy->handle);

	(void)answer;
	if (!ah || ah->pd != destroy->pd)
		return ADMIN_ILLEGAL;
	ah->live = false;
	pd_find(device, ah->pd)->users--;
	device_counters(device)->ah_live--;
	return ADMIN_OK;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "nic/stats.h"

#include <string.h>

#include "nic/slots.h"
#include "nic/state.h"

/* Where each kind is; one without a size is all zero: our network loses nothing. */
static const struct {
	size_t offset, size;
} kinds[] = {
#define KIND(member) { offsetof(struct statistics, member), \
		       sizeof(((struct statistics *)0)->member) }
	[STATISTICS_BASIC]	= KIND(basic),
	[STATISTICS_MESSAGES]	= KIND(messages),
	[STATISTICS_READS]	= KIND(reads),
	[STATISTICS_WRITES]	= KIND(writes),
	[STATISTICS_NETWORK]	= { 0, 0 },
#undef KIND
};

enum admin_status stats_get(struct device *device, const struct command *command,
			    void *answer)
{
	const struct stats_command *get = (const void *)command->payload;

	if (get->kind >= ARRAY_SIZE(kinds) || get->scope)
		return ADMIN_ILLEGAL;
	memcpy(answer, (char *)&device->statistics + kinds[get->kind].offset,
	       kinds[get->kind].size);
	return ADMIN_OK;
}

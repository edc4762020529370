// SPDX-License-Identifier: GPL-2.0-only
#include "nic/fabric.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "nic/slots.h"
#include "nic/state.h"

struct fabric {
	struct device *devices[OPTIONS_SOCKETS];
};

struct fabric *fabric_new(void)
{
	return calloc(1, sizeof(struct fabric));
}

void fabric_free(struct fabric *fabric)
{
	free(fabric);
}

int fabric_join(struct fabric *fabric, struct device *device)
{
	for (size_t i = 0; i < ARRAY_SIZE(fabric->devices); i++) {
		if (fabric->devices[i])
			continue;
		fabric->devices[i] = device;
		return 0;
	}
	return -ENOSPC;
}

void fabric_leave(struct fabric *fabric, struct device *device)
{
	for (size_t i = 0; i < ARRAY_SIZE(fabric->devices); i++)
		if (fabric->devices[i] == device)
			fabric->devices[i] = NULL;
}

struct device *fabric_find(const struct fabric *fabric, const uint8_t *gid)
{
	for (size_t i = 0; i < ARRAY_SIZE(fabric->devices); i++) {
		struct device *device = fabric->devices[i];

		if (device && !memcmp(device->gid, gid, GID_BYTES))
			return device;
	}
	return NULL;
}

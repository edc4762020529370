/* SPDX-License-Identifier: GPL-2.0-only */
/* Address handles: short names for other devices. */
#ifndef CTS_NIC_AH_H
#define CTS_NIC_AH_H

#include <stdbool.h>

#include "nic/admin.h"

enum { AHS = 1024 };

struct ah {
	bool live;
	uint16_t pd;
	uint8_t gid[GID_BYTES];
};

struct ahs {
	struct ah slots[AHS];
	unsigned int next;
};

/** ah_find - the live one of that number, or NULL */
struct ah *ah_find(struct device *device, unsigned int number);

/** ah_of - the number by which a protection domain knows a device, or NO_HANDLE */
uint16_t ah_of(const struct device *device, uint16_t pd, const uint8_t *gid);

enum admin_status ah_create(struct device *device, const struct command *command,
			    void *answer);
enum admin_status ah_destroy(struct device *device, const struct command *command,
			     void *answer);

#endif

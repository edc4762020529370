/* SPDX-License-Identifier: GPL-2.0-only */
/* User access regions: one for each process that has the device open. */
#ifndef CTS_NIC_UAR_H
#define CTS_NIC_UAR_H

#include <stdbool.h>

#include "nic/admin.h"

enum { UARS = 256 };

struct uar {
	bool live;
	unsigned int users;	/* queue pairs and completion queues of it */
};

struct uars {
	struct uar slots[UARS];
	unsigned int next;
};

/** uar_find - the live one of that number, or NULL */
struct uar *uar_find(struct device *device, unsigned int number);

enum admin_status uar_alloc(struct device *device, const struct command *command,
			    void *answer);

/* Refused while something uses it. */
enum admin_status uar_dealloc(struct device *device, const struct command *command,
			      void *answer);

#endif

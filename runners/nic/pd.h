/* SPDX-License-Identifier: GPL-2.0-only */
/* Protection domains: who may use whose memory. */
#ifndef CTS_NIC_PD_H
#define CTS_NIC_PD_H

#include <stdbool.h>

#include "nic/admin.h"

enum { PDS = 1024 };

struct pd {
	bool live;
	unsigned int users;	/* regions, queue pairs and address handles in it */
};

struct pds {
	struct pd slots[PDS];
	unsigned int next;
};

/** pd_find - the live one of that number, or NULL */
struct pd *pd_find(struct device *device, unsigned int number);

enum admin_status pd_alloc(struct device *device, const struct command *command,
			   void *answer);

/* Refused while something is in it. */
enum admin_status pd_dealloc(struct device *device, const struct command *command,
			     void *answer);

#endif

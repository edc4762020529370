/* SPDX-License-Identifier: GPL-2.0-only */
/* What the device counts for its driver. */
#ifndef CTS_NIC_STATS_H
#define CTS_NIC_STATS_H

#include "nic/admin.h"

struct statistics {
	struct stats_basic basic;
	struct stats_messages messages;
	struct stats_rdma reads;
	struct stats_rdma writes;
};

enum admin_status stats_get(struct device *device, const struct command *command,
			    void *answer);

#endif

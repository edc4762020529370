/* SPDX-License-Identifier: GPL-2.0-only */
/* What the device can do, and what the driver tells it about itself. */
#ifndef CTS_NIC_FEATURE_H
#define CTS_NIC_FEATURE_H

#include "nic/admin.h"

enum {
	FEATURE_ADDRESS_BITS	= 48,		/* of addresses of regions, and so of lengths */
	FEATURE_MTU		= 8928,		/* bytes of a message */
	FEATURE_MAX_RDMA	= 1 << 30,	/* bytes of an RDMA request */
};

/** feature_region_pages - pages of 4 KiB that the driver may give a region */
uint32_t feature_region_pages(struct device *device);

/** feature_page_sizes - page sizes of regions that the driver may use: bit n is 2^n bytes */
uint64_t feature_page_sizes(struct device *device);

enum admin_status feature_get(struct device *device, const struct command *command,
			      void *answer);
enum admin_status feature_set(struct device *device, const struct command *command,
			      void *answer);

#endif

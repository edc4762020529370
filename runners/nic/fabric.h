/* SPDX-License-Identifier: GPL-2.0-only */
/* How devices of one server reach each other: by their GID. */
#ifndef CTS_NIC_FABRIC_H
#define CTS_NIC_FABRIC_H

#include <stdint.h>

#include "nic/device.h"

/**
 * fabric_join - let others reach a device
 *
 * Return: 0 or -ENOSPC.
 */
int fabric_join(struct fabric *fabric, struct device *device);

/** fabric_leave - let nobody reach it any more */
void fabric_leave(struct fabric *fabric, struct device *device);

/** fabric_find - the device with that GID, or NULL */
struct device *fabric_find(const struct fabric *fabric, const uint8_t *gid);

#endif

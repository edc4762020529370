/* SPDX-License-Identifier: GPL-2.0-only */
/* Software RDMA devices: what "rdma link" does, and "ip link set up" below it. */
#ifndef CTS_RDMA_LINK_H
#define CTS_RDMA_LINK_H

#include <stdint.h>

/**
 * link_up - switch a network device on
 * @network: "dummy0"
 *
 * Return: 0 or a negative errno.
 */
int link_up(const char *network);

/**
 * link_add - make an RDMA device of the kernel's own
 * @name: its name
 * @type: "rxe"
 * @network: network device below it
 *
 * Return: 0 or a negative errno.
 */
int link_add(const char *name, const char *type, const char *network);

/**
 * link_remove - take away what link_add() made
 * @index: of the RDMA device, as restrack_device() tells it
 *
 * Return: 0 or a negative errno.
 */
int link_remove(uint32_t index);

#endif

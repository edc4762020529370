/* SPDX-License-Identifier: GPL-2.0-only */
/* A software RDMA device on a network device that leads nowhere. */
#ifndef LOOPBACK_LINK_H
#define LOOPBACK_LINK_H

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

#endif

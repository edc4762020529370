/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Dma-bufs that are bound to network devices, by the generic netlink family
 * "netdev" (Documentation/netlink/specs/netdev.yaml). A binding belongs to the
 * netlink socket that it was made by, and ends with it.
 */
#ifndef CTS_NETDEV_H
#define CTS_NETDEV_H

#include <stddef.h>
#include <stdint.h>

struct netdev_binding {
	int socket;
	uint32_t id;		/* by which messages to be sent name it */
	char why[128];		/* the kernel's text, where it gave no binding */
};

/**
 * netdev_bind_tx - bind a dma-buf for sending (NETDEV_CMD_BIND_TX)
 * @network: name of the network device
 * @fd: the dma-buf; the caller may close it afterwards
 * @binding: filled; give it back with netdev_unbind()
 *
 * Return: 0, -ENODEV if there is no such network device, -ENOENT if the kernel
 * has no such family, or the negative errno that the kernel gave:
 * netdev_nl_bind_tx_doit() in net/core/netdev-genl.c.
 */
int netdev_bind_tx(const char *network, int fd, struct netdev_binding *binding);

/**
 * netdev_unbind - close the socket, which ends the binding
 */
void netdev_unbind(struct netdev_binding *binding);

#endif

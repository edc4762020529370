/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Dma-bufs that are bound to network devices, by the generic netlink family
 * "netdev" (Documentation/netlink/specs/netdev.yaml). A binding belongs to the
 * netlink socket that it was made by, and ends with it.
 */
#ifndef CTS_NETDEV_H
#define CTS_NETDEV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct netdev_binding {
	int socket;
	uint32_t id;		/* by which messages name it */
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
 * netdev_bind_rx - bind a dma-buf to a queue, for receiving (NETDEV_CMD_BIND_RX)
 * @network: name of the network device
 * @queue: number of the queue
 * @piece_size: bytes of the pieces that the buffer is cut into; 0 for pages,
 *	which all kernels that have the call know
 * @fd: the dma-buf; the caller may close it afterwards
 * @binding: filled; give it back with netdev_unbind()
 *
 * Return: as of netdev_bind_tx(); -EEXIST if the queue has such memory already:
 * netdev_nl_bind_rx_doit().
 */
int netdev_bind_rx(const char *network, uint32_t queue, uint32_t piece_size,
		   int fd, struct netdev_binding *binding);

/**
 * netdev_queue_is_free - whether a queue has no dma-buf bound to it
 * @network: name of the network device
 * @queue: number of the queue, for receiving
 *
 * Return: 1 if so, 0 if not, -EINVAL or -ENOENT if there is no such queue, or
 * another negative errno.
 */
int netdev_queue_is_free(const char *network, uint32_t queue);

/**
 * netdev_unbind - close the socket, which ends the binding
 */
void netdev_unbind(struct netdev_binding *binding);

#endif

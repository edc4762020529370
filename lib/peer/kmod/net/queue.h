/* SPDX-License-Identifier: GPL-2.0-only */
/* Queues for what the network device receives. */
#ifndef PEER_NET_QUEUE_H
#define PEER_NET_QUEUE_H

#include <linux/netdevice.h>

struct page_pool;

/**
 * struct queue - a queue of the network device, in its private memory
 * @pool: where memory for what is received would come from; NULL while the device
 *	is down. Nothing is received: it is only exchanged, under the lock of the
 *	device, which the kernel's core takes before it calls.
 */
struct queue {
	struct page_pool *pool;
};

/**
 * queues_set_up - make a new network device one whose queues can be given
 * memory of others
 */
void queues_set_up(struct net_device *dev);

/**
 * queues_open, queues_stop - for ndo_open and ndo_stop
 */
int queues_open(struct net_device *dev);
int queues_stop(struct net_device *dev);

/**
 * queues_leave - have nobody call the queues any more
 *
 * For a device that is unregistered, and may outlive this code. What was not
 * open and still has memory gives it back.
 */
void queues_leave(struct net_device *dev);

#endif

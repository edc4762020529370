// SPDX-License-Identifier: GPL-2.0-only
/*
 * A network device that takes memory of others to send, as NICs do that have
 * netmem_tx, and to receive into, as those do whose queues the kernel can stop
 * and start: what the kernel's own code does to a dma-buf for such a device
 * (net/core/devmem.c) can then be judged without one. Nothing is sent: what it
 * is given it counts and drops.
 *
 * The kernel keeps no reference to the devices of a binding for sending, and
 * still uses them when its socket is closed: they stay when this module goes
 * (docs/findings/devmem-tx-device-reference.md).
 */
#include <linux/dma-mapping.h>
#include <linux/err.h>
#include <linux/if_arp.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/platform_device.h>
#include <linux/skbuff.h>

#include "net/queue.h"
#include "uapi/dmabuf_peer.h"

/* Where it was yet a bit: set for devices that do DMA. */
#ifndef HAVE_NETMEM_TX_MODE
#define NETMEM_TX_DMA	1
#endif

static struct platform_device *dma_device;
static struct net_device *network;

static netdev_tx_t sink(struct sk_buff *skb, struct net_device *dev)
{
	dev_lstats_add(dev, skb->len);
	consume_skb(skb);
	return NETDEV_TX_OK;
}

static void tell_counters(struct net_device *dev,
			  struct rtnl_link_stats64 *stats)
{
	dev_lstats_read(dev, &stats->tx_packets, &stats->tx_bytes);
}

static const struct net_device_ops network_ops = {
	.ndo_open = queues_open,
	.ndo_stop = queues_stop,
	.ndo_start_xmit = sink,
	.ndo_get_stats64 = tell_counters,
};

/* Memory that the CPU does not read can be neither copied nor summed. */
static void set_up(struct net_device *dev)
{
	dev->netdev_ops = &network_ops;
	dev->type = ARPHRD_NONE;
	dev->flags = IFF_NOARP | IFF_POINTOPOINT;
	dev->mtu = 1500;
	dev->features = NETIF_F_SG | NETIF_F_HW_CSUM | NETIF_F_HIGHDMA;
	dev->hw_features = dev->features;
	dev->lltx = true;
	dev->pcpu_stat_type = NETDEV_PCPU_STAT_LSTATS;
#ifdef HAVE_NETMEM_TX
	dev->netmem_tx = NETMEM_TX_DMA;
#endif
}

static int make_dma_device(void)
{
	int ret;

	dma_device = platform_device_register_simple(KBUILD_MODNAME,
						     PLATFORM_DEVID_NONE,
						     NULL, 0);
	if (IS_ERR(dma_device))
		return PTR_ERR(dma_device);
	ret = dma_coerce_mask_and_coherent(&dma_device->dev, DMA_BIT_MASK(64));
	if (ret)
		platform_device_unregister(dma_device);
	else
		dma_set_max_seg_size(&dma_device->dev, UINT_MAX);
	return ret;
}

static int make_network(void)
{
	int ret;

	network = alloc_netdev_mqs(PEER_NET_QUEUES * sizeof(struct queue),
				   PEER_NET_NAME, NET_NAME_USER, set_up, 1,
				   PEER_NET_QUEUES);
	if (!network)
		return -ENOMEM;
	queues_set_up(network);
	SET_NETDEV_DEV(network, &dma_device->dev);
	ret = register_netdev(network);
	if (ret)
		free_netdev(network);
	return ret;
}

static int __init net_init(void)
{
	int ret = make_dma_device();

	if (ret)
		return ret;
	ret = make_network();
	if (ret)
		platform_device_unregister(dma_device);
	return ret;
}

/*
 * Nobody can tell whether there is a binding yet, so the memory of both devices
 * is left to it, without any code of ours.
 */
static void __exit net_exit(void)
{
	unregister_netdev(network);
	queues_leave(network);
	get_device(&dma_device->dev);
	platform_device_unregister(dma_device);
}

module_init(net_init);
module_exit(net_exit);
MODULE_LICENSE("GPL");
MODULE_VERSION(__stringify(PEER_UAPI_VERSION));
MODULE_DESCRIPTION("Network device for the memory of dma-bufs, for conformance tests only");

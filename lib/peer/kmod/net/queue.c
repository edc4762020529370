// SPDX-License-Identifier: GPL-2.0-only
/*
 * Queues for what the network device receives. All that each has is a page pool.
 * Whoever binds memory to a queue makes the kernel have it begin anew, and the
 * new pool takes its pieces from what is bound.
 */
#include "net/queue.h"

#include <linux/dma-direction.h>
#include <linux/err.h>
#include <linux/ethtool.h>
#include <linux/mm.h>
#include <net/netdev_queues.h>
#include <net/page_pool/helpers.h>

#include "uapi/dmabuf_peer.h"

#define POOL_SIZE	64

/* What the kernel keeps of a queue while it exchanges one for another. */
struct queue_memory {
	struct page_pool *pool;
};

static struct queue *queue_of(struct net_device *dev, int index)
{
	struct queue *queues = netdev_priv(dev);

	return &queues[index];
}

/* With the network device's lock held, or that of all where it has none. */
static struct page_pool *make_pool(struct net_device *dev, int index,
				   unsigned int piece_size)
{
	const struct page_pool_params params = {
		.order = get_order(piece_size),
		.pool_size = POOL_SIZE,
		.nid = NUMA_NO_NODE,
		.dev = dev->dev.parent,
		.dma_dir = DMA_FROM_DEVICE,
		.max_len = piece_size,
		.netdev = dev,
		.queue_idx = index,
		.flags = PP_FLAG_DMA_MAP | PP_FLAG_DMA_SYNC_DEV |
			 PP_FLAG_ALLOW_UNREADABLE_NETMEM,
	};

	return page_pool_create(&params);
}

static struct page_pool *exchange_pool(struct net_device *dev, int index,
				       struct page_pool *pool)
{
	swap(queue_of(dev, index)->pool, pool);
	return pool;
}

static int fill_memory(struct net_device *dev, struct queue_memory *memory,
		       int index, unsigned int piece_size)
{
	struct page_pool *pool = make_pool(dev, index, piece_size);

	if (IS_ERR(pool))
		return PTR_ERR(pool);
	memory->pool = pool;
	return 0;
}

static void free_memory(struct net_device *dev, void *memory)
{
	page_pool_destroy(((struct queue_memory *)memory)->pool);
}

static int stop_queue(struct net_device *dev, void *memory, int index)
{
	((struct queue_memory *)memory)->pool = exchange_pool(dev, index, NULL);
	return 0;
}

/* Kernels that start a queue of a device that is down have stopped it before. */
static void start(struct net_device *dev, struct queue_memory *memory, int index)
{
	page_pool_destroy(exchange_pool(dev, index, memory->pool));
}

#ifdef HAVE_QUEUE_PAGE_SIZE

static unsigned int piece_size_of(struct net_device *dev, int index)
{
	struct netdev_queue_config config;

	netdev_queue_config(dev, index, &config);
	return config.rx_page_size;
}

static int alloc_memory(struct net_device *dev,
			struct netdev_queue_config *config, void *memory,
			int index)
{
	return fill_memory(dev, memory, index, config->rx_page_size);
}

static int start_queue(struct net_device *dev,
		       struct netdev_queue_config *config, void *memory,
		       int index)
{
	start(dev, memory, index);
	return 0;
}

static void tell_default(struct net_device *dev,
			 struct netdev_queue_config *config)
{
	config->rx_page_size = PAGE_SIZE;
}

static int validate(struct net_device *dev, struct netdev_queue_config *config,
		    struct netlink_ext_ack *extack)
{
	return config->rx_page_size >= PAGE_SIZE ? 0 : -EINVAL;
}

#else

static unsigned int piece_size_of(struct net_device *dev, int index)
{
	return PAGE_SIZE;
}

static int alloc_memory(struct net_device *dev, void *memory, int index)
{
	return fill_memory(dev, memory, index, PAGE_SIZE);
}

static int start_queue(struct net_device *dev, void *memory, int index)
{
	start(dev, memory, index);
	return 0;
}

#endif

static const struct netdev_queue_mgmt_ops queue_ops = {
	.ndo_queue_mem_size = sizeof(struct queue_memory),
	.ndo_queue_mem_alloc = alloc_memory,
	.ndo_queue_mem_free = free_memory,
	.ndo_queue_start = start_queue,
	.ndo_queue_stop = stop_queue,
#ifdef HAVE_QUEUE_PAGE_SIZE
	.ndo_default_qcfg = tell_default,
	.ndo_validate_qcfg = validate,
	.supported_params = QCFG_RX_PAGE_SIZE,
#endif
};

int queues_stop(struct net_device *dev)
{
	for (int i = 0; i < PEER_NET_QUEUES; i++)
		page_pool_destroy(exchange_pool(dev, i, NULL));
	return 0;
}

int queues_open(struct net_device *dev)
{
	for (int i = 0; i < PEER_NET_QUEUES; i++) {
		struct page_pool *pool = make_pool(dev, i,
						   piece_size_of(dev, i));

		if (IS_ERR(pool)) {
			queues_stop(dev);
			return PTR_ERR(pool);
		}
		page_pool_destroy(exchange_pool(dev, i, pool));
	}
	return 0;
}

void queues_set_up(struct net_device *dev)
{
	dev->queue_mgmt_ops = &queue_ops;
	/* Headers never get into memory that the CPU does not read. */
#ifdef HAVE_NETDEV_HDS
	dev->cfg->hds_config = ETHTOOL_TCP_DATA_SPLIT_ENABLED;
#endif
}

void queues_leave(struct net_device *dev)
{
	dev->queue_mgmt_ops = NULL;
	queues_stop(dev);
}

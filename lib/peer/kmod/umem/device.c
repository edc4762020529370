// SPDX-License-Identifier: GPL-2.0-only
/*
 * The RDMA devices that regions belong to: those that are registered, and
 * others that nobody else sees, on the devices of the peer importer. RDMA core
 * wants no more of one, to register a dma-buf, than the device of its DMA.
 */
#include <linux/err.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "umem/umem.h"

/* A registered RDMA device. */
struct registered {
	struct list_head node;
	struct ib_device *device;
	struct dma_agent *agent;
};

/* One of our own. */
struct own_device {
	struct ib_device base;		/* first, as ib_alloc_device() wants it */
};

static LIST_HEAD(registered_devices);	/* under registered_lock */
static DEFINE_MUTEX(registered_lock);

static struct ib_client client;

static int add(struct ib_device *device)
{
	struct registered *entry;

	if (!device->dma_device)
		return -EOPNOTSUPP;
	entry = kzalloc(sizeof(*entry), GFP_KERNEL);
	if (!entry)
		return -ENOMEM;
	entry->device = device;
	entry->agent = peer_agent_create(device->dma_device, false);
	if (!entry->agent) {
		kfree(entry);
		return -ENOMEM;
	}
	ib_set_client_data(device, &client, entry);
	mutex_lock(&registered_lock);
	list_add_tail(&entry->node, &registered_devices);
	mutex_unlock(&registered_lock);
	return 0;
}

static void remove(struct ib_device *device, void *data)
{
	struct registered *entry = data;

	mutex_lock(&registered_lock);
	list_del(&entry->node);
	mutex_unlock(&registered_lock);
	peer_agent_retire(entry->agent);
	peer_agent_put(entry->agent);
	kfree(entry);
}

static struct ib_client client = {
	.name = "dmabuf_peer_umem",
	.add = add,
	.remove = remove,
	.no_kverbs_req = 1,
};

static struct registered *find_registered(const char *name)
{
	struct registered *entry;

	list_for_each_entry(entry, &registered_devices, node)
		if (!strcmp(dev_name(&entry->device->dev), name))
			return entry;
	return NULL;
}

static int hold_registered(struct region *region, const char *name)
{
	struct registered *entry;

	mutex_lock(&registered_lock);
	entry = find_registered(name);
	if (entry) {
		region->device = entry->device;
		region->agent = entry->agent;
		kref_get(&entry->agent->ref);
	}
	mutex_unlock(&registered_lock);
	return entry ? 0 : -ENODEV;
}

int device_find(struct region *region, const struct peer_umem_register *request)
{
	struct dma_agent *agent;

	if (*request->name)
		return hold_registered(region, request->name);
	agent = peer_agent_find(request->device);
	if (IS_ERR(agent))
		return PTR_ERR(agent);
	region->agent = agent;
	region->own_device = true;
	return 0;
}

/* For a mutant: the platform device, whatever does the DMA. */
static struct device *choose_device(struct region *region)
{
	struct device *device = region->agent->device;
	struct dma_agent *other;

	if (!peer_fault(wrong_device))
		return device;
	other = peer_agent_find(PEER_DEVICE_PLATFORM);
	if (IS_ERR(other))
		return device;
	device = other->device;
	/* It lives as long as the module that ours depends on. */
	peer_agent_put(other);
	return device;
}

int device_make(struct region *region)
{
	struct own_device *own;

	if (!region->own_device)
		return 0;
	own = ib_alloc_device(own_device, base);
	if (!own)
		return -ENOMEM;
	own->base.dma_device = choose_device(region);
	own->base.dev.parent = own->base.dma_device;
	if (dev_set_name(&own->base.dev, "dmabuf_peer_umem")) {
		ib_dealloc_device(&own->base);
		return -ENOMEM;
	}
	region->device = &own->base;
	return 0;
}

void device_drop(struct region *region)
{
	if (region->own_device && region->device)
		ib_dealloc_device(region->device);
	region->device = NULL;
}

int devices_init(void)
{
	return ib_register_client(&client);
}

void devices_exit(void)
{
	ib_unregister_client(&client);
}

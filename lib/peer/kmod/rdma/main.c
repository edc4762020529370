// SPDX-License-Identifier: GPL-2.0-only
/* The RDMA device, and the PCI function whose BAR is its memory. */
#include <linux/dma-mapping.h>
#include <linux/err.h>
#include <linux/module.h>

#include "rdma/rdma.h"
#include "uapi/dmabuf_peer.h"
#include "uapi/dmabuf_peer_rdma.h"

struct rdma_context {
	struct ib_ucontext base;	/* first, as ib_ucontext is allocated */
};

static int query_device(struct ib_device *device, struct ib_device_attr *attr,
			struct ib_udata *udata)
{
	attr->page_size_cap = PAGE_SIZE;
	return 0;
}

/* It is connected to nothing. */
static int query_port(struct ib_device *device, u32 port,
		      struct ib_port_attr *attr)
{
	attr->state = IB_PORT_DOWN;
	attr->phys_state = IB_PORT_PHYS_STATE_DISABLED;
	attr->max_mtu = IB_MTU_4096;
	attr->active_mtu = IB_MTU_4096;
	attr->active_speed = IB_SPEED_SDR;
	attr->active_width = IB_WIDTH_1X;
	return 0;
}

static int port_immutable(struct ib_device *device, u32 port,
			  struct ib_port_immutable *immutable)
{
	return 0;
}

static enum rdma_link_layer link_layer(struct ib_device *device, u32 port)
{
	return IB_LINK_LAYER_UNSPECIFIED;
}

static int alloc_context(struct ib_ucontext *context, struct ib_udata *udata)
{
	return 0;
}

static void dealloc_context(struct ib_ucontext *context)
{
}

/* That there is one lets the device go while it is open; RDMA core does it all. */
static void disassociate_context(struct ib_ucontext *context)
{
}

static const struct ib_device_ops device_ops = {
	.owner = THIS_MODULE,
	.driver_id = RDMA_DRIVER_UNKNOWN,
	.uverbs_abi_ver = 1,
	.alloc_ucontext = alloc_context,
	.dealloc_ucontext = dealloc_context,
	.disassociate_ucontext = disassociate_context,
	.get_link_layer = link_layer,
	.get_port_immutable = port_immutable,
	.query_device = query_device,
	.query_port = query_port,
	INIT_RDMA_OBJ_SIZE(ib_ucontext, rdma_context, base),
};

static int set_up_memory(struct rdma_peer *peer, struct pci_dev *pdev)
{
	int ret = pcim_request_region(pdev, PEER_RDMA_MEMORY_BAR, KBUILD_MODNAME);

	if (ret)
		return ret;
	ret = pcim_p2pdma_init(pdev);
	if (ret)
		return ret;
	peer->provider = pcim_p2pdma_provider(pdev, PEER_RDMA_MEMORY_BAR);
	if (!peer->provider)
		return -ENODEV;		/* the BAR is ports */
	peer->memory = pcim_iomap(pdev, PEER_RDMA_MEMORY_BAR, 0);
	peer->start = pci_resource_start(pdev, PEER_RDMA_MEMORY_BAR);
	peer->page_count = pci_resource_len(pdev, PEER_RDMA_MEMORY_BAR) >> PAGE_SHIFT;
	peer->taken = devm_bitmap_zalloc(&pdev->dev, peer->page_count,
					 GFP_KERNEL);
	mutex_init(&peer->lock);
	return peer->memory && peer->taken ? 0 : -ENOMEM;
}

static int set_up(struct rdma_peer *peer, struct pci_dev *pdev)
{
	int ret = pcim_enable_device(pdev);

	if (!ret)
		ret = dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(64));
	if (!ret)
		ret = set_up_memory(peer, pdev);
	if (ret)
		return ret;
	peer->base.node_type = RDMA_NODE_UNSPECIFIED;
	peer->base.phys_port_cnt = 1;
	peer->base.num_comp_vectors = 1;
	peer->base.dev.parent = &pdev->dev;
	peer->base.driver_def = area_definitions;
	ib_set_device_ops(&peer->base, &device_ops);
	ib_set_device_ops(&peer->base, &area_ops);
	return ib_register_device(&peer->base, "peer_rdma%d", &pdev->dev);
}

/* The functions with less memory are for address spaces of iommufd. */
static int probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct rdma_peer *peer;
	int ret;

	if (pci_resource_len(pdev, PEER_RDMA_MEMORY_BAR) < PEER_RDMA_MEMORY_LEAST)
		return -ENODEV;
	peer = ib_alloc_device(rdma_peer, base);
	if (!peer)
		return -ENOMEM;
	ret = set_up(peer, pdev);
	if (ret) {
		ib_dealloc_device(&peer->base);
		return ret;
	}
	pci_set_drvdata(pdev, peer);
	return 0;
}

/* All contexts end first, and with them whatever was exported. */
static void remove(struct pci_dev *pdev)
{
	struct rdma_peer *peer = pci_get_drvdata(pdev);

	ib_unregister_device(&peer->base);
	ib_dealloc_device(&peer->base);
}

static const struct pci_device_id ids[] = {
	{ PCI_DEVICE(PCI_VENDOR_ID_REDHAT, 0x0005) },
	{ }
};

/* Not exported as an alias: this module is loaded by hand alone. */
static struct pci_driver peer_driver = {
	.name = PEER_RDMA_DRIVER,
	.id_table = ids,
	.probe = probe,
	.remove = remove,
};
module_pci_driver(peer_driver);

MODULE_LICENSE("GPL");
MODULE_VERSION(__stringify(PEER_UAPI_VERSION));
MODULE_DESCRIPTION("RDMA device with memory to be exported, for conformance tests only");

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An RDMA device that has memory and nothing else, for RDMA core to export. The
 * memory is the BAR of QEMU's pci-testdev.
 */
#ifndef PEER_RDMA_H
#define PEER_RDMA_H

#include <linux/bitmap.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/pci-p2pdma.h>
#include <rdma/ib_verbs.h>
#include <rdma/uverbs_ioctl.h>

struct rdma_peer {
	struct ib_device base;		/* first, as ib_alloc_device() wants it */
	struct p2pdma_provider *provider;
	phys_addr_t start;
	void __iomem *memory;
	unsigned int page_count;
	struct mutex lock;		/* .taken */
	unsigned long *taken;		/* a bit for each page */
};

static inline struct rdma_peer *rdma_peer_of(struct ib_device *device)
{
	return container_of(device, struct rdma_peer, base);
}

/* ---- area.c ---- */

extern const struct ib_device_ops area_ops;
extern const struct uapi_definition area_definitions[];

#endif

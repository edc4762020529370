/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * User space interface of dmabuf_peer_rdma.ko: what its RDMA device adds to the
 * ioctl of /dev/infiniband/uverbsN. The calls of RDMA core are described in
 * <rdma/ib_user_ioctl_cmds.h>; numbers below are in the driver's own part.
 */
#ifndef DMABUF_PEER_RDMA_H
#define DMABUF_PEER_RDMA_H

#define PEER_RDMA_DRIVER	"dmabuf_peer_rdma"
#define PEER_RDMA_MEMORY_BAR	2
#define PEER_RDMA_MEMORY_LEAST	(64u << 10)	/* bytes in that BAR that make a pci-testdev this device */
#define PEER_RDMA_NUMBERS	(1u << 12)	/* UVERBS_ID_DRIVER_NS */

/* RDMA core's own call, for user space whose headers are older. */
#define RDMA_OBJECT_DMABUF		18	/* UVERBS_OBJECT_DMABUF */
#define RDMA_DMABUF_ALLOC		0	/* UVERBS_METHOD_DMABUF_ALLOC */
#define RDMA_DMABUF_ALLOC_HANDLE	0	/* UVERBS_ATTR_ALLOC_DMABUF_HANDLE */
#define RDMA_DMABUF_ALLOC_OFFSET	1	/* UVERBS_ATTR_ALLOC_DMABUF_PGOFF: bytes, all the same */

/* Pages of the device, which can be mapped by the CPU and exported. */
enum peer_rdma_object {
	PEER_RDMA_AREA = PEER_RDMA_NUMBERS,
};

enum peer_rdma_method {
	/* EINVAL for what is not whole pages, ENOSPC if they are not free. */
	PEER_RDMA_ALLOC = PEER_RDMA_NUMBERS,
	PEER_RDMA_FREE,
};

enum peer_rdma_alloc_attribute {
	PEER_RDMA_ALLOC_HANDLE = PEER_RDMA_NUMBERS,	/* new handle */
	PEER_RDMA_ALLOC_LENGTH,		/* in: u64, bytes */
	PEER_RDMA_ALLOC_OFFSET,		/* out: u64, for mmap and UVERBS_METHOD_DMABUF_ALLOC */
};

enum peer_rdma_free_attribute {
	PEER_RDMA_FREE_HANDLE = PEER_RDMA_NUMBERS,
};

#endif /* DMABUF_PEER_RDMA_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* How an instance of the importer through RDMA core registers. */
#ifndef CTS_IMPORTER_UMEM_H
#define CTS_IMPORTER_UMEM_H

#include "pair/capability.h"
#include "peer/kmod/uapi/dmabuf_peer.h"

struct umem_instance {
	const struct umem_mode *mode;
	char device[PEER_UMEM_NAME_SIZE];	/* a registered RDMA device, or empty */
};

struct umem_mode {
	const char *name;		/* "revocable" */
	enum peer_umem_mode mode;
	unsigned int features;		/* PEER_UMEM_HAS_* that it needs */
	capability_set capabilities;
};

#endif

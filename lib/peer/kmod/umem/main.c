// SPDX-License-Identifier: GPL-2.0-only
/* The importer through RDMA core: its ioctls, and the end of an open file. */
#include <linux/module.h>

#include "shared/node.h"
#include "umem/umem.h"

static const struct peer_ioctl ioctls[] = {
	{ PEER_UMEM_REGISTER, true, ioctl_register },
	{ PEER_UMEM_DEREGISTER, false, ioctl_deregister },
	{ PEER_UMEM_MAP, false, ioctl_map },
	{ PEER_UMEM_UNMAP, false, ioctl_unmap },
	{ PEER_UMEM_REVOKE, false, ioctl_revoke },
	{ PEER_UMEM_TABLE, false, ioctl_table },
	{ PEER_UMEM_TRANSFER, false, ioctl_transfer },
	{ PEER_UMEM_STAT, false, ioctl_stat },
	{ PEER_UMEM_EVENTS, false, ioctl_events },
	{ PEER_UMEM_INFO, false, ioctl_info },
};

static_assert(sizeof(struct peer_umem_register) <= PEER_ARGUMENT_MAX);
static_assert(sizeof(struct peer_umem_stat) <= PEER_ARGUMENT_MAX);

static void umem_close(struct peer_file *file)
{
	struct region *region;
	unsigned long handle;

	xa_for_each(&file->handles, handle, region) {
		xa_erase(&file->handles, handle);
		peer_log_close(&region->log);
		region_end(region);
		region_put(region);
	}
}

const struct peer_node peer_node = {
	.ioctls = ioctls,
	.rows = ARRAY_SIZE(ioctls),
	.file_size = sizeof(struct umem_file),
	.close = umem_close,
	.init = devices_init,
	.exit = devices_exit,
};

MODULE_DESCRIPTION("Instrumented dma-buf importer through RDMA core, for conformance tests only");

// SPDX-License-Identifier: GPL-2.0-only
/* The peer importer: its ioctls, and the end of an open file. */
#include <linux/module.h>

#include "importer/importer.h"
#include "shared/node.h"

static const struct peer_ioctl ioctls[] = {
	{ PEER_IMPORTER_ATTACH, true, ioctl_attach },
	{ PEER_IMPORTER_DETACH, false, ioctl_detach },
	{ PEER_IMPORTER_PIN, false, ioctl_pin },
	{ PEER_IMPORTER_UNPIN, false, ioctl_unpin },
	{ PEER_IMPORTER_MAP, true, ioctl_map },
	{ PEER_IMPORTER_UNMAP, false, ioctl_unmap },
	{ PEER_IMPORTER_TABLE, false, ioctl_table },
	{ PEER_IMPORTER_TRANSFER, false, ioctl_transfer },
	{ PEER_IMPORTER_REACT, false, ioctl_react },
	{ PEER_IMPORTER_FENCE, true, ioctl_fence },
	{ PEER_IMPORTER_SIGNAL, false, ioctl_signal },
	{ PEER_IMPORTER_STAT, false, ioctl_stat },
	{ PEER_IMPORTER_EVENTS, false, ioctl_events },
	{ PEER_IMPORTER_VMAP, false, ioctl_vmap },
	{ PEER_IMPORTER_IMPORT, true, ioctl_import },
};

static_assert(sizeof(struct peer_import) <= PEER_ARGUMENT_MAX);

static void importer_close(struct peer_file *file)
{
	struct import *import;
	unsigned long handle;

	xa_for_each(&file->handles, handle, import) {
		peer_log_close(&import->log);
		if (peer_fault(leaks_on_close)) {
			import->orphaned = true;
			continue;
		}
		import_end(import);
		import_put(import);
	}
}

const struct peer_node peer_node = {
	.ioctls = ioctls,
	.rows = ARRAY_SIZE(ioctls),
	.file_size = sizeof(struct peer_file),
	.close = importer_close,
	.init = devices_init,
	.exit = devices_exit,
};

MODULE_DESCRIPTION("Instrumented dma-buf importer, for conformance tests only");

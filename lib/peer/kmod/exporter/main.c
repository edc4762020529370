// SPDX-License-Identifier: GPL-2.0-only
/* The peer exporter: its ioctls, and the end of an open file. */
#include <linux/module.h>

#include "exporter/exporter.h"
#include "shared/node.h"

static const struct peer_ioctl ioctls[] = {
	{ PEER_EXPORTER_CREATE, true, ioctl_create },
	{ PEER_EXPORTER_FORGET, false, ioctl_forget },
	{ PEER_EXPORTER_FAIL, false, ioctl_fail },
	{ PEER_EXPORTER_MOVE, false, ioctl_move },
	{ PEER_EXPORTER_REVOKE, false, ioctl_revoke },
	{ PEER_EXPORTER_RESTORE, false, ioctl_restore },
	{ PEER_EXPORTER_NOTIFY, false, ioctl_notify },
	{ PEER_EXPORTER_STORM, false, ioctl_storm },
	{ PEER_EXPORTER_WALK, false, ioctl_walk },
	{ PEER_EXPORTER_FENCE, true, ioctl_fence },
	{ PEER_EXPORTER_SIGNAL, false, ioctl_signal },
	{ PEER_EXPORTER_STORAGE, false, ioctl_storage },
	{ PEER_EXPORTER_STAT, false, ioctl_stat },
	{ PEER_EXPORTER_EVENTS, false, ioctl_events },
	{ PEER_EXPORTER_BAD, false, ioctl_bad },
};

static_assert(sizeof(struct peer_exporter_stat) <= PEER_ARGUMENT_MAX);

static void exporter_close(struct peer_file *file)
{
	struct peer_buffer *buffer;
	unsigned long handle;

	xa_for_each(&file->handles, handle, buffer)
		buffer_forget(buffer);
	buffers_let_module_go();
}

const struct peer_node peer_node = {
	.ioctls = ioctls,
	.rows = ARRAY_SIZE(ioctls),
	.file_size = sizeof(struct peer_file),
	.close = exporter_close,
	.init = puts_watch,
	.exit = puts_ignore,
};

MODULE_DESCRIPTION("Instrumented dma-buf exporter, for conformance tests only");

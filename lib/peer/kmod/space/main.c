// SPDX-License-Identifier: GPL-2.0-only
/* The driver with a device in address spaces of iommufd: its ioctls. */
#include <linux/module.h>

#include "shared/node.h"
#include "space/space.h"

static const struct peer_ioctl ioctls[] = {
	{ PEER_SPACE_JOIN, false, ioctl_join },
	{ PEER_SPACE_LEAVE, false, ioctl_leave },
	{ PEER_SPACE_LOOK, false, ioctl_look },
	{ PEER_SPACE_ACCESS, false, ioctl_access },
};

const struct peer_node peer_node = {
	.ioctls = ioctls,
	.rows = ARRAY_SIZE(ioctls),
	.file_size = sizeof(struct peer_file),
	.close = device_close,
	.init = device_init,
	.exit = device_exit,
};

MODULE_DESCRIPTION("Device that joins address spaces of iommufd, for conformance tests only");

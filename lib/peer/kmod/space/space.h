/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A driver whose device joins address spaces of iommufd, as vfio's do, and that
 * reaches for their memory by the CPU, as drivers of emulated devices do. The
 * device is QEMU's pci-testdev, which does nothing by itself.
 */
#ifndef PEER_SPACE_H
#define PEER_SPACE_H

#include <linux/iommufd.h>

#include "shared/ioctl.h"
#include "uapi/dmabuf_peer_space.h"

/*
 * What iommufd has for drivers. It may be absent, or a module that is loaded
 * later: so we find it when it is needed.
 */
#define SPACE_CALLS(CALL) \
	CALL(iommufd_ctx_from_fd) \
	CALL(iommufd_ctx_put) \
	CALL(iommufd_device_bind) \
	CALL(iommufd_device_unbind) \
	CALL(iommufd_device_attach) \
	CALL(iommufd_device_detach) \
	CALL(iommufd_access_create) \
	CALL(iommufd_access_destroy) \
	CALL(iommufd_access_attach) \
	CALL(iommufd_access_rw) \
	CALL(iommufd_access_pin_pages) \
	CALL(iommufd_access_unpin_pages)

#define SPACE_CALL_MEMBER(name)	typeof(&name) name;
struct space_calls {
	SPACE_CALLS(SPACE_CALL_MEMBER)
};
#undef SPACE_CALL_MEMBER

/**
 * space_calls_get - find iommufd, and keep it loaded
 * @calls: filled; give them back with space_calls_put()
 *
 * Return: 0, or -EOPNOTSUPP if iommufd is not there.
 */
int space_calls_get(struct space_calls *calls);
void space_calls_put(const struct space_calls *calls);

/* The device's driver; and what becomes of an open file's membership. */
int device_init(void);
void device_exit(void);
void device_close(struct peer_file *file);

/* The ioctls; struct peer_ioctl says how they are called. */
int ioctl_join(struct peer_file *file, void *argument, void __user *user);
int ioctl_leave(struct peer_file *file, void *argument, void __user *user);
int ioctl_look(struct peer_file *file, void *argument, void __user *user);
int ioctl_access(struct peer_file *file, void *argument, void __user *user);

#endif

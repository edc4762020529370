/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * User space interface of dmabuf_peer_space.ko (/dev/dmabuf_peer_space): a
 * device that joins address spaces of iommufd. The rules of dmabuf_peer.h hold,
 * and its version.
 */
#ifndef DMABUF_PEER_SPACE_H
#define DMABUF_PEER_SPACE_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define PEER_SPACE_NODE		"/dev/dmabuf_peer_space"

#define PEER_SPACE_LENGTH_MAX	(16u << 10)

/*
 * The device, QEMU's pci-testdev, joins an address space: a domain is made of
 * it, or found. One file at a time has the device, else EBUSY; ENODEV if there is
 * no such device; EOPNOTSUPP without iommufd; else what iommufd gives.
 */
struct peer_space_join {
	__s32 fd;		/* in: of /dev/iommu */
	__u32 space;		/* in: id of the address space there */
	__u64 reserved;
};

struct peer_space_leave {
	__u64 reserved;
};

/* Only while the device is in an address space by this file, else ENOENT. */
struct peer_space_look {
	__u64 address;		/* in: that the device would use */
	__u64 physical;		/* out: where it would lead; 0: nowhere */
};

enum peer_space_way {
	PEER_SPACE_READ = 0,	/* iommufd_access_rw() */
	PEER_SPACE_WRITE,	/* ... of zeroes */
	PEER_SPACE_PIN,		/* iommufd_access_pin_pages(), and back */
	PEER_SPACE_WAY_COUNT
};

/* Needs no device. What iommufd gives, or EOPNOTSUPP without it. */
struct peer_space_access {
	__s32 fd;		/* in: of /dev/iommu */
	__u32 space;		/* in: id of the address space there */
	__u64 address;		/* in */
	__u64 length;		/* in: 1 to PEER_SPACE_LENGTH_MAX */
	__u32 way;		/* in: enum peer_space_way */
	__u32 reserved;
};

#define PEER_SPACE_IOC		'S'
#define PEER_SPACE_JOIN		_IOW(PEER_SPACE_IOC, 1, struct peer_space_join)
#define PEER_SPACE_LEAVE	_IOW(PEER_SPACE_IOC, 2, struct peer_space_leave)
#define PEER_SPACE_LOOK		_IOWR(PEER_SPACE_IOC, 3, struct peer_space_look)
#define PEER_SPACE_ACCESS	_IOW(PEER_SPACE_IOC, 4, struct peer_space_access)

#endif /* DMABUF_PEER_SPACE_H */

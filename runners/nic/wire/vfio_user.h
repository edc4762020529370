/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The vfio-user protocol, version 0.0, as far as a server without migration and
 * without accesses through the client needs it. Messages go over a UNIX stream
 * socket: a header, then what belongs to the command; descriptors come with the
 * header. Structs and numbers that the protocol shares with the kernel's VFIO are in
 * linux/vfio.h. All is little endian, as the machines are that this runs on.
 */
#ifndef CTS_NIC_WIRE_VFIO_USER_H
#define CTS_NIC_WIRE_VFIO_USER_H

#include <linux/vfio.h>
#include <stdint.h>

#define VFIO_USER_MAJOR	0
#define VFIO_USER_MINOR	0

enum vfio_user_command {
	VFIO_USER_VERSION		= 1,
	VFIO_USER_DMA_MAP		= 2,
	VFIO_USER_DMA_UNMAP		= 3,
	VFIO_USER_DEVICE_GET_INFO	= 4,	/* struct vfio_user_device_info */
	VFIO_USER_GET_REGION_INFO	= 5,	/* struct vfio_region_info */
	VFIO_USER_GET_IRQ_INFO		= 7,	/* struct vfio_irq_info */
	VFIO_USER_SET_IRQS		= 8,	/* struct vfio_irq_set */
	VFIO_USER_REGION_READ		= 9,
	VFIO_USER_REGION_WRITE		= 10,
	VFIO_USER_DEVICE_RESET		= 13,
};

struct vfio_user_header {
	uint16_t id;		/* a reply has that of its request */
	uint16_t command;
	uint32_t size;		/* of the whole message, bytes */
	uint32_t flags;
	uint32_t error;		/* an errno, in a reply with the error flag */
};

#define VFIO_USER_TYPE		0x0fu
#define VFIO_USER_TYPE_COMMAND	0x00u
#define VFIO_USER_TYPE_REPLY	0x01u
#define VFIO_USER_NO_REPLY	0x10u
#define VFIO_USER_ERROR		0x20u

/* Followed by capabilities, as JSON text. */
struct vfio_user_version {
	uint16_t major;
	uint16_t minor;
};

#define VFIO_USER_MAP_READ	0x1u	/* by the device */
#define VFIO_USER_MAP_WRITE	0x2u

struct vfio_user_dma_map {
	uint32_t argsz;
	uint32_t flags;
	uint64_t offset;	/* in the file whose descriptor comes along */
	uint64_t address;
	uint64_t size;
};

#define VFIO_USER_UNMAP_ALL	0x2u

struct vfio_user_dma_unmap {
	uint32_t argsz;
	uint32_t flags;
	uint64_t address;
	uint64_t size;
};

struct vfio_user_device_info {
	uint32_t argsz;
	uint32_t flags;
	uint32_t regions;
	uint32_t irqs;
};

/* Followed by the data, in a write and in the reply to a read. */
struct vfio_user_region_access {
	uint64_t offset;
	uint32_t region;
	uint32_t count;		/* bytes */
};

#endif

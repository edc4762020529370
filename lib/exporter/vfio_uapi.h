/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How vfio-pci is asked for a dma-buf: VFIO_DEVICE_FEATURE number 11, which
 * the headers of older distributions do not have. Where they have it, the
 * layout is held against theirs.
 */
#ifndef CTS_VFIO_UAPI_H
#define CTS_VFIO_UAPI_H

#include <linux/vfio.h>
#include <stddef.h>
#include <stdint.h>

#define VFIO_FEATURE_DMA_BUF	11

struct vfio_range {
	uint64_t offset;		/* bytes into the BAR */
	uint64_t length;
};

struct vfio_export {
	uint32_t argsz;			/* as struct vfio_device_feature has it */
	uint32_t flags;
	uint32_t region;		/* number of the BAR */
	uint32_t open_flags;		/* of the descriptor: O_RDWR, O_CLOEXEC */
	uint32_t reserved;		/* must be 0 */
	uint32_t range_count;
	struct vfio_range ranges[];
};

_Static_assert(sizeof(struct vfio_device_feature) ==
	       offsetof(struct vfio_export, region),
	       "the head is that of struct vfio_device_feature");

#ifdef VFIO_DEVICE_FEATURE_DMA_BUF
#define VFIO_BODY(member)	(offsetof(struct vfio_export, member) - \
				 offsetof(struct vfio_export, region))

_Static_assert(VFIO_FEATURE_DMA_BUF == VFIO_DEVICE_FEATURE_DMA_BUF, "number");
_Static_assert(VFIO_BODY(region) ==
	       offsetof(struct vfio_device_feature_dma_buf, region_index),
	       "region");
_Static_assert(VFIO_BODY(open_flags) ==
	       offsetof(struct vfio_device_feature_dma_buf, open_flags),
	       "open_flags");
_Static_assert(VFIO_BODY(reserved) ==
	       offsetof(struct vfio_device_feature_dma_buf, flags), "flags");
_Static_assert(VFIO_BODY(range_count) ==
	       offsetof(struct vfio_device_feature_dma_buf, nr_ranges),
	       "range_count");
_Static_assert(VFIO_BODY(ranges) ==
	       offsetof(struct vfio_device_feature_dma_buf, dma_ranges),
	       "ranges");
_Static_assert(sizeof(struct vfio_range) ==
	       sizeof(struct vfio_region_dma_range), "size of a range");
#undef VFIO_BODY
#endif

#endif

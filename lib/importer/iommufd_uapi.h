/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How /dev/iommu is asked: address spaces, and files mapped into them. The
 * headers of older distributions have no such file, or not all of it. Where
 * they have it, numbers and layouts are held against theirs.
 */
#ifndef CTS_IOMMUFD_UAPI_H
#define CTS_IOMMUFD_UAPI_H

#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>

#define IOMMUFD_CALL(number)	_IO(';', number)

#define IOMMUFD_DESTROY_CALL	IOMMUFD_CALL(0x80)
#define IOMMUFD_SPACE_CALL	IOMMUFD_CALL(0x81)
#define IOMMUFD_UNMAP_CALL	IOMMUFD_CALL(0x86)
#define IOMMUFD_MAP_FILE_CALL	IOMMUFD_CALL(0x8f)

#define IOMMUFD_MAP_WRITABLE	(1u << 1)
#define IOMMUFD_MAP_READABLE	(1u << 2)

/* Each begins with its own size. */
struct iommufd_destroy {
	uint32_t size;
	uint32_t id;
};

struct iommufd_space {
	uint32_t size;
	uint32_t flags;			/* must be 0 */
	uint32_t id;			/* answer: of the address space */
};

struct iommufd_unmap {
	uint32_t size;
	uint32_t space;
	uint64_t address;
	uint64_t length;		/* bytes; answer: how many were mapped */
};

struct iommufd_map_file {
	uint32_t size;
	uint32_t flags;			/* IOMMUFD_MAP_* */
	uint32_t space;
	int32_t fd;
	uint64_t start;			/* bytes into the file */
	uint64_t length;
	uint64_t address;		/* answer, in the address space */
};

#if __has_include(<linux/iommufd.h>)
#include <linux/iommufd.h>

_Static_assert(IOMMUFD_DESTROY_CALL == IOMMU_DESTROY, "number");
_Static_assert(sizeof(struct iommufd_destroy) == sizeof(struct iommu_destroy),
	       "size");
_Static_assert(offsetof(struct iommufd_destroy, id) ==
	       offsetof(struct iommu_destroy, id), "id");
_Static_assert(IOMMUFD_SPACE_CALL == IOMMU_IOAS_ALLOC, "number");
_Static_assert(sizeof(struct iommufd_space) == sizeof(struct iommu_ioas_alloc),
	       "size");
_Static_assert(offsetof(struct iommufd_space, id) ==
	       offsetof(struct iommu_ioas_alloc, out_ioas_id), "id");
_Static_assert(IOMMUFD_UNMAP_CALL == IOMMU_IOAS_UNMAP, "number");
_Static_assert(sizeof(struct iommufd_unmap) == sizeof(struct iommu_ioas_unmap),
	       "size");
_Static_assert(offsetof(struct iommufd_unmap, space) ==
	       offsetof(struct iommu_ioas_unmap, ioas_id), "space");
_Static_assert(offsetof(struct iommufd_unmap, address) ==
	       offsetof(struct iommu_ioas_unmap, iova), "address");
_Static_assert((int)IOMMUFD_MAP_WRITABLE == IOMMU_IOAS_MAP_WRITEABLE &&
	       (int)IOMMUFD_MAP_READABLE == IOMMU_IOAS_MAP_READABLE, "flags");

#ifdef IOMMU_IOAS_MAP_FILE
_Static_assert(IOMMUFD_MAP_FILE_CALL == IOMMU_IOAS_MAP_FILE, "number");
_Static_assert(sizeof(struct iommufd_map_file) ==
	       sizeof(struct iommu_ioas_map_file), "size");
_Static_assert(offsetof(struct iommufd_map_file, fd) ==
	       offsetof(struct iommu_ioas_map_file, fd), "fd");
_Static_assert(offsetof(struct iommufd_map_file, start) ==
	       offsetof(struct iommu_ioas_map_file, start), "start");
_Static_assert(offsetof(struct iommufd_map_file, address) ==
	       offsetof(struct iommu_ioas_map_file, iova), "address");
#endif
#endif

#endif

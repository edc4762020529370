/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * iommufd past what every importer can do: a map with numbers that it must
 * refuse.
 */
#ifndef CTS_IOMMUFD_H
#define CTS_IOMMUFD_H

#include <stdint.h>

#include "importer/importer.h"

/**
 * iommufd_map - map a part of a dma-buf into the importer's address space
 * @importer: an open iommufd importer
 * @fd: the dma-buf
 * @start: bytes from its start
 * @length: bytes
 * @access: IMPORT_READ, IMPORT_WRITE or both
 * @address: filled with where it is in the address space
 *
 * Return: 0 or the negative errno of IOMMU_IOAS_MAP_FILE: -EINVAL for no
 * length, or one that reaches beyond the buffer, -EOVERFLOW for a range that
 * makes no number, -EOPNOTSUPP for a buffer that is no single range of
 * vfio-pci, -ENODEV for one that is revoked, or that of attach or pin.
 * Source: drivers/iommu/iommufd/ioas.c, iommufd_ioas_map_file().
 */
int iommufd_map(struct importer *importer, int fd, uint64_t start,
		uint64_t length, unsigned int access, uint64_t *address);

/**
 * iommufd_space - the id of the importer's address space
 */
uint32_t iommufd_space(const struct importer *importer);

/**
 * iommufd_unmap - take a part away that was mapped as a whole
 * @importer: an open iommufd importer
 * @address: where it is
 * @length: bytes
 *
 * Return: 0 or a negative errno.
 * Source: drivers/iommu/iommufd/ioas.c, iommufd_ioas_unmap().
 */
int iommufd_unmap(struct importer *importer, uint64_t address, uint64_t length);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CTS_PROBE_IOMMU_H
#define CTS_PROBE_IOMMU_H

#include <jansson.h>

/**
 * iommu_record - how devices' DMA addresses come about on this machine
 *
 * { "mode": "translated"|"passthrough"|"none", "groups": N,
 *   "types": { "DMA-FQ": N, ... }, "units": [ "dmar0", ... ] }
 *
 * "passthrough" means that every group is of type identity.
 *
 * Return: a new reference.
 */
json_t *iommu_record(void);

#endif

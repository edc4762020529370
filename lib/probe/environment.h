/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a run takes place: kernel, options that matter, IOMMU, devices. */
#ifndef CTS_ENVIRONMENT_H
#define CTS_ENVIRONMENT_H

#include <jansson.h>

/**
 * environment_record - the "environment" record of this machine
 *
 * Return: a new reference; what cannot be read is left out.
 */
json_t *environment_record(void);

#endif

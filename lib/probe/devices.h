/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CTS_PROBE_DEVICES_H
#define CTS_PROBE_DEVICES_H

#include <jansson.h>

/**
 * devices_record - DRM, accelerator and RDMA devices of this machine
 *
 * [ { "class": "drm", "name": "card0", "driver": "virtio_gpu",
 *     "driver_version": "...", "device": "0000:00:07.0",
 *     "id": "1af4:1050", "firmware": "..." }, ... ]
 *
 * Return: a new reference; members that a device does not have are left out.
 */
json_t *devices_record(void);

#endif

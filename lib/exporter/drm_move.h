/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a DRM driver has a buffer, and how to have it leave memory of the device:
 * by more dumb buffers than that has room for.
 */
#ifndef CTS_DRM_MOVE_H
#define CTS_DRM_MOVE_H

#include "exporter/exporter.h"

/**
 * drm_move_learn - claim what of moves and pins can be had of this driver
 * @exporter: an open one, that gets capabilities, or notes why not
 * @buffer: a new one of it
 */
void drm_move_learn(struct exporter *exporter, struct buffer *buffer);

/* As struct exporter_ops has them. */
int drm_move(struct buffer *buffer, enum placement placement);
int drm_placement(struct buffer *buffer, enum placement *placement);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a driver really does, found out with the peers where they are loaded:
 * whether an exporter's attachments can be mapped, whether an importer maps
 * what it imports. Each call opens files of its own and leaves nothing.
 */
#ifndef CTS_TRIAL_H
#define CTS_TRIAL_H

#include <stdbool.h>
#include <stddef.h>

#include "peer/kmod/uapi/dmabuf_peer.h"

#define TRIAL_NO_PEER	1	/* a result, not an errno: drivers may give any of those */

/* A small static buffer of the peer exporter to be imported on trial. */
struct trial_buffer {
	int control;
	int fd;
	__u32 handle;
};

/**
 * trial_map - attach the peer importer to a dma-buf and map it
 * @fd: the dma-buf
 *
 * Return: 0, TRIAL_NO_PEER if there is no peer importer, or the errno of
 * attach or map.
 */
int trial_map(int fd);

/**
 * trial_buffer_make - make a buffer for an importer to try
 * @buffer: filled; give it back with trial_buffer_drop()
 *
 * Return: 0, TRIAL_NO_PEER if there is no peer exporter, or a negative errno.
 */
int trial_buffer_make(struct trial_buffer *buffer);
int trial_buffer_stat(const struct trial_buffer *buffer,
		      struct peer_exporter_stat *stat);

/**
 * trial_buffer_attached - how the first attachment of the buffer was made
 * @buffer: the buffer, once an importer has tried it
 * @attach: the event
 *
 * Return: true if there was one.
 */
bool trial_buffer_attached(const struct trial_buffer *buffer,
			   struct peer_event *attach);
void trial_buffer_drop(struct trial_buffer *buffer);

/**
 * trial_device - learn which device the peer importer attaches
 * @importer: an open peer importer
 * @stat: filled
 *
 * Return: 0, TRIAL_NO_PEER if there is no peer exporter, or a negative errno.
 */
int trial_device(int importer, struct peer_importer_stat *stat);

#endif

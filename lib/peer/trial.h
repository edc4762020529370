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

#include "exporter/exporter.h"
#include "pair/backend.h"
#include "peer/kmod/uapi/dmabuf_peer.h"

#define TRIAL_NO_PEER	1	/* a result, not an errno: drivers may give any of those */

#define TRIAL_SIZE	(4 * 4096)

/* A buffer of that size, of the peer exporter, to be imported on trial. */
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
 * trial_learn_p2p - whether another device reaches the memory of an exporter
 * @exporter: open; exports for importers that allow peer to peer; its backend
 *	gets EXPORTER_MAPS, or a note why not, or a reason why it exports nothing
 * @memory: what it exports, "a part of its BAR"
 *
 * Return: 0, or the errno of the export.
 */
int trial_learn_p2p(struct exporter *exporter, const char *memory);

/**
 * trial_buffer_make - make a buffer for an importer to try
 * @policy: of the buffer
 * @flags: PEER_BUFFER_*
 * @buffer: filled; give it back with trial_buffer_drop()
 *
 * Return: 0, TRIAL_NO_PEER if there is no peer exporter, or a negative errno.
 */
int trial_buffer_make(enum peer_policy policy, unsigned int flags,
		      struct trial_buffer *buffer);

/**
 * trial_buffer_claims - what an importer did with the buffer
 * @buffer: the buffer, while the importer has it or later
 *
 * Return: IMPORTER_ATTACHES with the rights it attached with, which are what
 * it declares; IMPORTER_MAPS and IMPORTER_PINNED if it did that. Nothing if it
 * did not attach.
 */
capability_set trial_buffer_claims(const struct trial_buffer *buffer);
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

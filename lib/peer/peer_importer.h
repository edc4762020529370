/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The instrumented importer in single steps: attach, pin, map, transfer,
 * unmap, unpin, detach. Every call returns 0 or a negative errno.
 */
#ifndef CTS_PEER_IMPORTER_H
#define CTS_PEER_IMPORTER_H

#include <stdbool.h>

#include "importer/importer.h"
#include "peer/kmod/uapi/dmabuf_peer.h"

/* An attachment of the peer importer; all zero means none. */
struct attachment {
	struct importer *importer;
	uint32_t handle;
	bool peer2peer;			/* after the exporter had its say */
	bool exporter_dynamic;
};

/* A mapping of an attachment; all zero means none. */
struct mapping {
	struct attachment *attachment;
	uint32_t map;
	enum peer_direction direction;
	uint32_t nents;
	uint32_t orig_nents;
	uint32_t same_as;		/* map id with the same table, or 0 */
	bool priv_changed;
	uint64_t length;		/* sum of the DMA lengths */
};

struct attach_options {
	enum peer_device device;
	enum peer_reaction reaction;
	unsigned int late_ms;
};

/**
 * peer_attach - attach to a dma-buf in the importer's mode
 * @importer: an open peer importer; its selector fixes mode and peer2peer
 * @fd: the dma-buf
 * @options: device and reaction to notify; NULL for the defaults
 * @attachment: filled
 *
 * Return: 0 or the negative errno of the core or the exporter.
 */
int peer_attach(struct importer *importer, int fd,
		const struct attach_options *options,
		struct attachment *attachment);

/**
 * peer_detach - detach; what is still mapped and pinned goes first
 *
 * Return: 0 or a negative errno.
 */
int peer_detach(struct attachment *attachment);

/**
 * peer_pin, peer_unpin - pin and unpin under the reservation
 *
 * Return: 0 or the negative errno of the core or the exporter.
 */
int peer_pin(struct attachment *attachment);
int peer_unpin(struct attachment *attachment);

/**
 * peer_map - map an attachment
 * @attachment: the attachment
 * @direction: enum peer_direction
 * @mapping: filled
 *
 * Return: 0 or the negative errno of the core or the exporter.
 */
int peer_map(struct attachment *attachment, enum peer_direction direction,
	     struct mapping *mapping);

/**
 * peer_unmap - unmap what peer_map() gave
 *
 * Return: 0, -ENOENT if a notice has unmapped it, or another negative errno.
 */
int peer_unmap(struct mapping *mapping);

/**
 * peer_import - attach, pin and map in one call of the kernel
 * @importer: an open peer importer; its selector fixes mode and peer2peer
 * @fd: the dma-buf
 * @options: device and reaction to notify; NULL for the defaults
 * @request: what else an import is asked for
 * @attachment: filled
 * @mapping: filled; points at @attachment
 *
 * Whatever fails, the kernel module unwinds by itself, as a driver would.
 */
struct import_request {
	enum peer_direction direction;
	bool pin;			/* before map; not with STATIC */
	int error;			/* errno to fail with after map, or 0 */
};

int peer_import(struct importer *importer, int fd,
		const struct attach_options *options,
		const struct import_request *request,
		struct attachment *attachment, struct mapping *mapping);

/**
 * peer_table - read the DMA addresses of a mapping
 * @mapping: the mapping
 * @entries: room for @capacity
 * @capacity: entries
 *
 * Return: the number of entries written, or a negative errno.
 */
int peer_table(struct mapping *mapping, struct peer_table_entry *entries,
	       unsigned int capacity);

/**
 * peer_write, peer_read - move bytes through the DMA addresses of a mapping
 * @mapping: the mapping, also one that notify has invalidated
 * @engine: how
 * @offset: bytes from its start
 * @data: the bytes
 * @length: how many, at most PEER_TRANSFER_MAX
 *
 * Return: 0, -EFAULT on an untranslated address, -EOPNOTSUPP if the device
 * has no such engine.
 */
int peer_write(struct mapping *mapping, enum peer_engine engine,
	       size_t offset, const void *data, size_t length);
int peer_read(struct mapping *mapping, enum peer_engine engine,
	      size_t offset, void *data, size_t length);

/**
 * peer_importer_fence - add a fence to the reservation of the buffer
 * @attachment: the attachment
 * @usage: enum peer_usage
 * @timeout_ms: it signals by itself then
 *
 * Return: the fence id (> 0), or a negative errno.
 */
int peer_importer_fence(struct attachment *attachment, enum peer_usage usage,
			unsigned int timeout_ms);

/**
 * peer_importer_signal - signal a fence; again does nothing
 * @attachment: the attachment
 * @fence: as peer_importer_fence() returned it
 *
 * Return: 0 or a negative errno.
 */
int peer_importer_signal(struct attachment *attachment, int fence);

/**
 * peer_importer_stat - the importer's counters of an attachment now
 * @attachment: the attachment
 * @stat: filled
 *
 * Return: 0 or a negative errno.
 */
int peer_importer_stat(struct attachment *attachment,
		       struct peer_importer_stat *stat);

/**
 * peer_importer_events - take the events since the last call
 * @attachment: the attachment
 * @events: room for @capacity
 * @capacity: events
 *
 * Return: how many, -EOVERFLOW if some were lost, or another negative errno.
 */
int peer_importer_events(struct attachment *attachment,
			 struct peer_event *events, unsigned int capacity);

/**
 * peer_vmap_read - read through nested kernel mappings of the buffer
 * @attachment: the attachment
 * @depth: how many vmaps are held at once, 1 to 8
 * @offset: bytes
 * @data: the bytes
 * @length: how many
 */
int peer_vmap_read(struct attachment *attachment, unsigned int depth,
		   size_t offset, void *data, size_t length);

/**
 * peer_vmap_hold - keep a kernel mapping of the buffer for a while
 * @attachment: the attachment
 * @ms: how long, at most PEER_TIMEOUT_MS_MAX; a signal ends it early
 */
int peer_vmap_hold(struct attachment *attachment, unsigned int ms);

#endif

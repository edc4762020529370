/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The instrumented exporter, past what every exporter can do: what it saw,
 * how it shall fail, fences, storage. Every call returns 0 or a negative
 * errno and works on a buffer of the peer exporter only (-EOPNOTSUPP else).
 */
#ifndef CTS_PEER_EXPORTER_H
#define CTS_PEER_EXPORTER_H

#include <stdbool.h>

#include "exporter/exporter.h"
#include "peer/kmod/uapi/dmabuf_peer.h"

/**
 * peer_exporter_stat - read the counters of a buffer
 * @buffer: the buffer
 * @stat: filled
 */
int peer_exporter_stat(struct buffer *buffer, struct peer_exporter_stat *stat);

/**
 * peer_exporter_events - take the events since the last call
 * @buffer: the buffer
 * @events: room for @capacity
 * @capacity: entries
 *
 * Return: the number of events, or a negative errno; -EOVERFLOW if the log
 * lost some.
 */
int peer_exporter_events(struct buffer *buffer, struct peer_event *events,
			 unsigned int capacity);

/**
 * peer_exporter_fail - make calls fail
 * @buffer: the buffer
 * @what: which call
 * @after: calls that still succeed first
 * @count: calls that then fail; 0 disarms
 * @error: the negative errno they return
 */
int peer_exporter_fail(struct buffer *buffer, enum peer_failure what,
		       unsigned int after, unsigned int count, int error);

/**
 * peer_exporter_move - move the storage in a given way
 * @buffer: the buffer
 * @placement: where to
 * @flags: PEER_MOVE_*
 * @fence_ms: for PEER_MOVE_SLOW_FENCE, else 0
 *
 * Return: 0, -EBUSY if it is pinned, or another negative errno.
 */
int peer_exporter_move(struct buffer *buffer, enum peer_placement placement,
		       unsigned int flags, unsigned int fence_ms);

/**
 * peer_exporter_notify - give notices without moving anything
 * @buffer: the buffer
 * @count: how many, one after another
 *
 * Return: 0 or a negative errno.
 */
int peer_exporter_notify(struct buffer *buffer, unsigned int count);

/**
 * peer_exporter_storm - give notices without pause, beside all that happens
 * @buffer: the buffer
 * @on: false ends it
 *
 * Return: 0 or a negative errno.
 */
int peer_exporter_storm(struct buffer *buffer, bool on);

/**
 * peer_exporter_walk - walk the core's list of attachments under the lock
 * @buffer: the buffer
 * @rounds: how often
 * @walk: filled with what was found
 *
 * Return: 0 or a negative errno.
 */
int peer_exporter_walk(struct buffer *buffer, unsigned int rounds,
		       struct peer_walk *walk);

/**
 * peer_exporter_fence - add a fence to the buffer's reservation
 * @buffer: the buffer
 * @usage: enum peer_usage
 * @timeout_ms: it signals by itself then
 *
 * Return: the fence id (> 0), or a negative errno.
 */
int peer_exporter_fence(struct buffer *buffer, enum peer_usage usage,
			unsigned int timeout_ms);

/**
 * peer_exporter_signal - signal a fence; again does nothing
 * @buffer: the buffer
 * @fence: as peer_exporter_fence() returned it
 *
 * Return: 0 or a negative errno.
 */
int peer_exporter_signal(struct buffer *buffer, int fence);

/**
 * peer_exporter_storage - read or write a place, past every mapping
 * @buffer: the buffer
 * @placement: the place; need not be the current one
 * @offset: bytes
 * @data: the bytes
 * @length: bytes
 * @write: true to write them
 */
int peer_exporter_storage(struct buffer *buffer, enum peer_placement placement,
			  size_t offset, void *data, size_t length, bool write);

/**
 * peer_exporter_bad - try an export with a member missing (EXP-01 .. EXP-03)
 * @exporter: an open peer exporter
 * @what: which member
 *
 * Return: what dma_buf_export() returned: -EINVAL from a good core, 0 if it
 * accepted the export.
 */
int peer_exporter_bad(struct exporter *exporter, enum peer_bad what);

#endif

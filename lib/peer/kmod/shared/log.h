/* SPDX-License-Identifier: GPL-2.0-only */
/* The event log of one buffer or attachment. */
#ifndef PEER_LOG_H
#define PEER_LOG_H

#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>

#include "uapi/dmabuf_peer.h"

struct peer_log {
	struct mutex reader;		/* one reader at a time */
	spinlock_t lock;		/* all below; taken from any context */
	struct peer_event *events;	/* ring of PEER_EVENTS_MAX */
	unsigned int first;
	unsigned int count;
	unsigned int lost;
	atomic_t *sequence;		/* of the open file; NULL: nobody can read */
	u32 calls[PEER_CALL_COUNT];
	u32 failures[PEER_CALL_COUNT];
};

/**
 * peer_log_init - make an empty log, which only counts until it is opened
 * @log: the log, all zero
 *
 * Return: 0 or -ENOMEM.
 */
int peer_log_init(struct peer_log *log);

/**
 * peer_log_open - record from now on
 * @log: the log
 * @sequence: counter that numbers the events of one open file; it must live
 *            until peer_log_close()
 */
void peer_log_open(struct peer_log *log, atomic_t *sequence);

/**
 * peer_log_close - stop recording, as nobody can read the log any more
 */
void peer_log_close(struct peer_log *log);
void peer_log_free(struct peer_log *log);

/**
 * peer_log_add - count a call and record it
 * @log: the log
 * @event: what happened; time, sequence and task are filled in here
 *
 * May be called from any context. When the log is full the new event is
 * dropped, so that what was recorded stays without gaps.
 */
void peer_log_add(struct peer_log *log, struct peer_event *event);

/**
 * peer_log_read - hand recorded events to user space and drop them
 * @log: the log
 * @request: the argument of PEER_*_EVENTS; count and lost are filled
 *
 * Events are dropped only after they were copied.
 *
 * Return: 0, -EINVAL, -ENOMEM, -EFAULT, -EINTR.
 */
int peer_log_read(struct peer_log *log, struct peer_events *request);

#endif

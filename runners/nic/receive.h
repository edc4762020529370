/* SPDX-License-Identifier: GPL-2.0-only */
/* Receive queues. */
#ifndef CTS_NIC_RECEIVE_H
#define CTS_NIC_RECEIVE_H

#include "nic/peer.h"

/* Who sends what to a receive queue. */
struct arrival {
	const struct device *from;
	uint16_t queue;			/* the sender's queue pair */
	const struct work_request *request;
	uint64_t length;		/* bytes */
};

/**
 * receive_message - put a message where the next receive says
 *
 * Return: OUTCOME_OK; or what the sender is told: OUTCOME_REMOTE_NOT_READY, with nothing taken,
 * OUTCOME_REMOTE_BAD_LENGTH, OUTCOME_REMOTE_ABORT.
 */
enum outcome receive_message(const struct peer *peer, const struct arrival *arrival,
			     const void *bytes);

/** receive_notice - complete the next receive for an RDMA write that says something; likewise */
enum outcome receive_notice(const struct peer *peer, const struct arrival *arrival);

/** receive_is_posted - whether there is one */
bool receive_is_posted(const struct qp *qp);

/** receive_flush - complete all receives, as flushed */
void receive_flush(struct device *device, struct qp *qp);

#endif

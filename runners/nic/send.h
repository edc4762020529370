/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Send queues: work requests, one after the other. A request is carried out in steps, with all
 * that it names looked up anew in each, so that what is taken away meanwhile is not used; and
 * there are only so many steps at a time, so that no guest can keep the server from the others.
 */
#ifndef CTS_NIC_SEND_H
#define CTS_NIC_SEND_H

#include "nic/qp.h"

/** send_queue_offset - where a slot's ring is in the LLQ BAR, bytes */
uint32_t send_queue_offset(unsigned int slot);

/** send_post - requests up to this index are posted, which the ring can hold */
void send_post(struct device *device, struct qp *qp, uint16_t posted);

/** send_resume - the queue pair may send now */
void send_resume(struct device *device, struct qp *qp);

/** send_flush - complete all requests, as flushed */
void send_flush(struct device *device, struct qp *qp);

/**
 * send_tick - carry on with what is posted
 *
 * Return: milliseconds until it wants to be called again; -1 for not at all.
 */
int send_tick(struct device *device, uint64_t now_ns);

#endif

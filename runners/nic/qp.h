/* SPDX-License-Identifier: GPL-2.0-only */
/* Queue pairs: what they are. How they send is in send.h, how they receive in receive.h. */
#ifndef CTS_NIC_QP_H
#define CTS_NIC_QP_H

#include <stdbool.h>

#include "nic/admin.h"
#include "nic/function.h"
#include "nic/wire/io.h"
#include "nic/wire/registers.h"

enum {
	QPS			= 256,
	SEND_DEPTH		= 256,
	RECEIVE_DEPTH		= 1024,
	RECEIVE_SEGMENTS	= 2,
	/* What user space makes of the deepest queue with the most segments, and some room. */
	RECEIVE_ENTRIES		= 4096,
};

/* Never give up when the receiver is not ready. */
#define RETRY_FOREVER	7

/* Indexes count on and wrap around; the ring is in the device's own memory. */
struct send_queue {
	uint32_t entries;
	uint16_t posted;		/* by the doorbell */
	uint16_t taken;
	bool busy;			/* with this one: */
	struct work_request request;	/* a copy, the guest's may change */
	uint64_t moved;			/* bytes of it, so far */
	unsigned int attempts;		/* while the receiver was not ready */
	uint64_t not_before;		/* time of the next step, nanoseconds */
};

/* Likewise; the ring is in guest memory. */
struct receive_queue {
	uint64_t ring;
	uint32_t entries;
	uint16_t posted;
	uint16_t taken;
};

struct qp {
	bool live;
	uint8_t generation;		/* of the slot, in the number: an old number is noticed */
	uint8_t kind;
	uint8_t retries;
	uint16_t pd;
	uint16_t uar;
	uint32_t send_cq;
	uint32_t receive_cq;
	enum qp_state state;
	uint32_t queue_key;
	uint32_t sequence;
	struct send_queue send;
	struct receive_queue receive;
};

struct qps {
	struct qp slots[QPS];
	unsigned int next;
	unsigned int turn;		/* which queue pair goes first in the next tick */
	bool waiting;			/* some may have work that a tick is to go on with */
};

/** qp_number - by which others name it */
uint16_t qp_number(const struct device *device, const struct qp *qp);

/** qp_find - the live one of that number, or NULL */
struct qp *qp_find(struct device *device, uint32_t number);

/** qp_receives - whether it is in a state in which others can send to it */
bool qp_receives(const struct qp *qp);

/** qp_break - the guest did what it must not: put it in the error state, flush all */
void qp_break(struct device *device, struct qp *qp, const char *why);

/** qp_ring_send - the send doorbell of a slot, which may not be live */
void qp_ring_send(struct device *device, unsigned int slot, uint32_t value);

/** qp_ring_receive - the receive doorbell of a slot, which may not be live */
void qp_ring_receive(struct device *device, unsigned int slot, uint32_t value);

enum admin_status qp_create(struct device *device, const struct command *command,
			    void *answer);
enum admin_status qp_modify(struct device *device, const struct command *command,
			    void *answer);
enum admin_status qp_query(struct device *device, const struct command *command,
			   void *answer);

/* What is still posted completes as flushed. */
enum admin_status qp_destroy(struct device *device, const struct command *command,
			     void *answer);

#endif

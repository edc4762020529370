/* SPDX-License-Identifier: GPL-2.0-only */
/* Completion queues. */
#ifndef CTS_NIC_CQ_H
#define CTS_NIC_CQ_H

#include <stdbool.h>

#include "nic/admin.h"
#include "nic/wire/io.h"

enum {
	CQS		= 256,
	CQ_DEPTH	= 8192,
};

struct cq {
	bool live;
	unsigned int users;	/* send and receive queues that complete here */
	uint64_t ring;
	uint32_t depth;
	uint8_t entry;		/* bytes: 16 or 32 */
	bool tells_address;	/* of a sender without a handle */
	bool interrupts;
	uint16_t eq;
	uint16_t uar;
	uint32_t stored;	/* completions, since it was made */
	bool armed;		/* the next completion is an event */
	bool waiting;		/* for room for an event */
};

struct cqs {
	struct cq slots[CQS];
	unsigned int next;
};

/** cq_find - the live one of that number, or NULL */
struct cq *cq_find(struct device *device, unsigned int number);

/**
 * cq_store - tell that a request is complete
 * @cq: a live one's number
 * @completion: all but the phase
 *
 * The guest sees to it that the ring does not overflow: the device overwrites.
 */
void cq_store(struct device *device, unsigned int cq, struct completion *completion);

/** cq_ring - the doorbell of a completion queue, which may not be live */
void cq_ring(struct device *device, unsigned int number, uint32_t value);

/** cq_tell_waiting - there may be room now in an event queue */
void cq_tell_waiting(struct device *device, unsigned int eq);

enum admin_status cq_create(struct device *device, const struct command *command,
			    void *answer);

/* Refused while a queue pair completes here. */
enum admin_status cq_destroy(struct device *device, const struct command *command,
			     void *answer);

#endif

// SPDX-License-Identifier: GPL-2.0-only
#include "nic/qp.h"

#include "nic/receive.h"
#include "nic/send.h"
#include "nic/slots.h"
#include "nic/state.h"

/* A number is the slot's index and, above it, the slot's generation. */
#define INDEX_BITS	8
#define GENERATIONS	0xffu

_Static_assert(QPS == 1 << INDEX_BITS, "every index is a slot");
_Static_assert(QPS * SEND_DEPTH * sizeof(struct work_request) == FUNCTION_LLQ_SIZE,
	       "a send queue for each");
_Static_assert((QPS + CQS) * DOORBELL_PAGE == FUNCTION_DOORBELLS_SIZE, "a page for each");

#define STATE(state)	(1u << (state))

/* States that can follow each state, besides QP_RESET, which always can. */
static const unsigned int next_states[QP_STATES] = {
	[QP_RESET]	= STATE(QP_INIT),
	[QP_INIT]	= STATE(QP_INIT) | STATE(QP_RTR) | STATE(QP_ERROR),
	[QP_RTR]	= STATE(QP_RTS) | STATE(QP_ERROR),
	[QP_RTS]	= STATE(QP_RTS) | STATE(QP_SQD) | STATE(QP_ERROR),
	[QP_SQD]	= STATE(QP_RTS) | STATE(QP_SQD) | STATE(QP_ERROR),
	[QP_SQE]	= STATE(QP_RTS) | STATE(QP_ERROR),
	[QP_ERROR]	= STATE(QP_ERROR),
};

uint16_t qp_number(const struct device *device, const struct qp *qp)
{
	return (qp - device->qps.slots) | qp->generation << INDEX_BITS;
}

struct qp *qp_find(struct device *device, uint32_t number)
{
	struct qp *qp = &device->qps.slots[number & (QPS - 1)];

	return qp->live && qp->generation == number >> INDEX_BITS ? qp : NULL;
}

bool qp_receives(const struct qp *qp)
{
	return qp->state >= QP_RTR && qp->state < QP_ERROR;
}

static void fail(struct device *device, struct qp *qp)
{
	qp->state = QP_ERROR;
	send_flush(device, qp);
	receive_flush(device, qp);
}

void qp_break(struct device *device, struct qp *qp, const char *why)
{
	device_log(device, LOG_FAULT, "queue pair %#x fails: %s", qp_number(device, qp), why);
	fail(device, qp);
}

/* Whether a doorbell's value asks for more than a ring holds. */
static bool overflows(uint16_t value, uint16_t taken, uint32_t entries)
{
	return (uint16_t)(value - taken) > entries;
}

void qp_ring_send(struct device *device, unsigned int slot, uint32_t value)
{
	struct qp *qp = SLOT_LIVE(device->qps.slots, slot);

	if (!qp || qp->state < QP_RTS)
		return;
	if (overflows(value, qp->send.taken, qp->send.entries)) {
		qp_break(device, qp, "the send doorbell is beyond the ring");
		return;
	}
	send_post(device, qp, value);
	if (qp->state == QP_ERROR)
		send_flush(device, qp);
}

void qp_ring_receive(struct device *device, unsigned int slot, uint32_t value)
{
	struct qp *qp = SLOT_LIVE(device->qps.slots, slot);

	if (!qp || qp->state < QP_INIT)
		return;
	if (overflows(value, qp->receive.taken, qp->receive.entries)) {
		qp_break(device, qp, "the receive doorbell is beyond the ring");
		return;
	}
	qp->receive.posted = value;
	if (qp->state == QP_ERROR)
		receive_flush(device, qp);
}

/* ring_is_good - none, or a power of 2 of whole entries */
static bool ring_is_good(uint32_t bytes, uint32_t entry, uint32_t most)
{
	uint32_t entries = bytes / entry;

	return !(bytes % entry) && entries <= most && !(entries & (entries - 1));
}

static bool shape_is_good(const struct create_qp *create)
{
	return (create->kind == QP_UD || create->kind == QP_SRD) && !create->flags &&
	       ring_is_good(create->send_ring_size, sizeof(struct work_request), SEND_DEPTH) &&
	       ring_is_good(create->receive_ring_size, sizeof(struct receive_descriptor),
			    RECEIVE_ENTRIES);
}

static struct qp *fill(struct device *device, unsigned int number,
		       const struct create_qp *create)
{
	struct qp *qp = &device->qps.slots[number];

	*qp = (struct qp){
		.live = true,
		.generation = qp->generation % GENERATIONS + 1,
		.kind = create->kind,
		.pd = create->pd,
		.uar = create->uar,
		.send_cq = create->send_cq,
		.receive_cq = create->receive_cq,
		.send.entries = create->send_ring_size / sizeof(struct work_request),
		.receive.ring = create->receive_ring,
		.receive.entries = create->receive_ring_size / sizeof(struct receive_descriptor),
	};
	return qp;
}

/* use - count what a queue pair needs as in use, or no more; all of it is live. */
static void use(struct device *device, const struct qp *qp, int change)
{
	pd_find(device, qp->pd)->users += change;
	uar_find(device, qp->uar)->users += change;
	cq_find(device, qp->send_cq)->users += change;
	cq_find(device, qp->receive_cq)->users += change;
	device_counters(device)->qp_live += change;
}

enum admin_status qp_create(struct device *device, const struct command *command,
			    void *answer)
{
	const struct create_qp *create = (const void *)command->payload;
	struct create_qp_answer *reply = answer;
	struct qp *qp;
	int number;

	if (!shape_is_good(create) || !pd_find(device, create->pd) ||
	    !uar_find(device, create->uar) || !cq_find(device, create->send_cq) ||
	    !cq_find(device, create->receive_cq))
		return ADMIN_ILLEGAL;
	number = SLOT_FREE(device->qps.slots, &device->qps.next);
	if (number < 0)
		return ADMIN_NO_RESOURCE;
	qp = fill(device, number, create);
	use(device, qp, 1);
	*reply = (struct create_qp_answer){
		.handle = qp_number(device, qp),
		.number = qp_number(device, qp),
		.send_doorbell = number * DOORBELL_PAGE,
		.receive_doorbell = number * DOORBELL_PAGE + DOORBELL_RECEIVE,
		.send_queue = send_queue_offset(number),
	};
	return ADMIN_OK;
}

/* Forgets what is posted; nobody is told. */
static void reset(struct qp *qp)
{
	qp->send = (struct send_queue){ .entries = qp->send.entries };
	qp->receive.posted = 0;
	qp->receive.taken = 0;
}

static bool enter(struct device *device, struct qp *qp, uint32_t state)
{
	if (state >= QP_STATES ||
	    (state != QP_RESET && !(next_states[qp->state] & STATE(state))))
		return false;
	qp->state = state;
	if (state == QP_RESET)
		reset(qp);
	if (state == QP_ERROR)
		fail(device, qp);
	if (state == QP_RTS)
		send_resume(device, qp);
	return true;
}

enum admin_status qp_modify(struct device *device, const struct command *command,
			    void *answer)
{
	const struct modify_qp *modify = (const void *)command->payload;
	struct qp *qp = qp_find(device, modify->handle);

	(void)answer;
	if (!qp || modify->mask & ~MODIFY_ALL ||
	    (modify->mask & MODIFY_RETRIES && modify->retries > RETRY_FOREVER))
		return ADMIN_ILLEGAL;
	if (modify->mask & MODIFY_STATE && !enter(device, qp, modify->state))
		return ADMIN_ILLEGAL;
	if (modify->mask & MODIFY_QUEUE_KEY)
		qp->queue_key = modify->queue_key;
	if (modify->mask & MODIFY_SEQUENCE)
		qp->sequence = modify->sequence;
	if (modify->mask & MODIFY_RETRIES)
		qp->retries = modify->retries;
	return ADMIN_OK;
}

enum admin_status qp_query(struct device *device, const struct command *command,
			   void *answer)
{
	const struct handle_command *query = (const void *)command->payload;
	struct qp *qp = qp_find(device, query->handle);

	if (!qp)
		return ADMIN_ILLEGAL;
	*(struct query_qp_answer *)answer = (struct query_qp_answer){
		.state = qp->state,
		.queue_key = qp->queue_key,
		.sequence = qp->sequence,
		.retries = qp->retries,
	};
	return ADMIN_OK;
}

enum admin_status qp_destroy(struct device *device, const struct command *command,
			     void *answer)
{
	const struct handle_command *destroy = (const void *)command->payload;
	struct qp *qp = qp_find(device, destroy->handle);

	(void)answer;
	if (!qp)
		return ADMIN_ILLEGAL;
	fail(device, qp);
	use(device, qp, -1);
	qp->live = false;
	return ADMIN_OK;
}

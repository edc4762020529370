// SPDX-License-Identifier: GPL-2.0-only
#include "nic/send.h"

#include <string.h>

#include "nic/feature.h"
#include "nic/receive.h"
#include "nic/state.h"
#include "nic/transfer.h"

/* How much is done at a time, and how much of it in one step. */
#define TURN_REQUESTS	64
#define TURN_BYTES	(4ull << 20)
#define STEP_BYTES	(1ull << 20)

/* Milliseconds until a receiver that was not ready is asked again. */
#define RETRY_PERIOD	10

struct turn {
	uint64_t now;
	unsigned int requests;	/* that may still be begun */
	uint64_t bytes;		/* that may still be moved */
};

/* How a step ended: with an outcome, or with more to do, now or later. */
enum progress { DONE, MORE, LATER };

static struct turn turn_of(uint64_t now)
{
	return (struct turn){ .now = now, .requests = TURN_REQUESTS, .bytes = TURN_BYTES };
}

uint32_t send_queue_offset(unsigned int slot)
{
	return slot * SEND_DEPTH * sizeof(struct work_request);
}

/* The guest may write meanwhile: each word is read once. */
static void take(struct device *device, struct qp *qp, struct work_request *request)
{
	struct send_queue *queue = &qp->send;
	uint32_t offset = send_queue_offset(qp - device->qps.slots) +
			  queue->taken % queue->entries * sizeof(*request);
	const uint64_t *from = (const uint64_t *)(function_llq(device->function) + offset);
	union {
		uint64_t words[sizeof(*request) / sizeof(uint64_t)];
		struct work_request request;
	} copy;

	for (size_t i = 0; i < sizeof(copy) / sizeof(uint64_t); i++)
		copy.words[i] = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
	*request = copy.request;
	queue->taken++;
}

static void complete(struct device *device, struct qp *qp, const struct work_request *request,
		     enum outcome outcome)
{
	struct completion completion = {
		.id = request->id,
		.outcome = outcome,
		.flags = COMPLETION_OF_SEND |
			 COMPLETION_OPERATION(WORK_OPERATION(request->kind) & 7),
		.queue = qp_number(device, qp),
	};

	device_counters(device)->work_requests++;
	if (outcome) {
		device_counters(device)->work_failed++;
		device_log(device, LOG_COMMAND, "queue pair %#x, request %u: outcome %u",
			   completion.queue, request->id, outcome);
	} else if (!(request->control & WORK_WANTS_COMPLETION)) {
		return;
	}
	cq_store(device, qp->send_cq, &completion);
}

static struct segment local_segment(struct device *device, const struct qp *qp,
				    const struct wire_segment *wire, uint8_t rights)
{
	return (struct segment){
		.device = device,
		.key = wire->key & KEY_MASK,
		.pd = qp->pd,
		.rights = rights,
		.address = wire->address_low | (uint64_t)wire->address_high << 32,
		.length = wire->length,
	};
}

/* gather - the message of a send, from its segments or out of the request itself */
static enum outcome gather(struct device *device, const struct qp *qp,
			   const struct work_request *request, char *message, uint64_t *length)
{
	*length = 0;
	if (request->kind & WORK_INLINE) {
		if (request->length > INLINE_BYTES)
			return OUTCOME_BAD_LENGTH;
		memcpy(message, request->bytes, request->length);
		*length = request->length;
		return OUTCOME_OK;
	}
	if (request->length > SEND_SEGMENTS)
		return OUTCOME_BAD_LENGTH;
	for (unsigned int i = 0; i < request->length; i++) {
		struct segment segment = local_segment(device, qp, &request->segments[i], 0);
		struct place from = { .device = device, .address = segment.address };

		if (segment.length > FEATURE_MTU - *length)
			return OUTCOME_BAD_LENGTH;
		from.region = mr_admit(&segment);
		if (!from.region || transfer_load(message + *length, &from, segment.length))
			return OUTCOME_BAD_LOCAL_KEY;
		*length += segment.length;
	}
	return OUTCOME_OK;
}

/* Ask again later, as often as the queue pair's owner wants. */
static enum progress not_ready(struct qp *qp, const struct turn *turn, enum outcome *outcome)
{
	*outcome = OUTCOME_REMOTE_NOT_READY;
	if (qp->retries != RETRY_FOREVER && qp->send.attempts >= qp->retries)
		return DONE;
	qp->send.attempts++;
	qp->send.not_before = turn->now + RETRY_PERIOD * MILLISECOND;
	return LATER;
}

static void count_sent(struct device *device, const struct peer *peer, uint64_t length)
{
	device->statistics.basic.sent_packets++;
	device->statistics.basic.sent_bytes += length;
	peer->device->statistics.basic.received_packets++;
	peer->device->statistics.basic.received_bytes += length;
}

/* drop - a datagram that nobody takes is lost, and its sender never knows */
static enum outcome drop(const struct peer *peer)
{
	if (peer->device)
		peer->device->statistics.basic.dropped++;
	return OUTCOME_OK;
}

static enum progress send_step(struct device *device, struct qp *qp, struct turn *turn,
			       enum outcome *outcome)
{
	const struct work_request *request = &qp->send.request;
	struct arrival arrival = {
		.from = device, .queue = qp_number(device, qp), .request = request,
	};
	char message[FEATURE_MTU];
	struct peer peer;

	*outcome = gather(device, qp, request, message, &arrival.length);
	if (*outcome)
		return DONE;
	turn->bytes -= arrival.length < turn->bytes ? arrival.length : turn->bytes;
	*outcome = peer_find(device, qp, request, &peer);
	if (!*outcome)
		*outcome = receive_message(&peer, &arrival, message);
	if (!*outcome) {
		device->statistics.messages.sends++;
		device->statistics.messages.sent_bytes += arrival.length;
		count_sent(device, &peer, arrival.length);
	} else if (qp->kind == QP_UD && *outcome != OUTCOME_BAD_HANDLE) {
		*outcome = drop(&peer);
	} else if (*outcome == OUTCOME_REMOTE_NOT_READY) {
		return not_ready(qp, turn, outcome);
	}
	return DONE;
}

/* The two ends of an RDMA request. */
struct ends {
	struct segment local, remote;
	struct place from, to;
};

/* admit - check both ends whole, then point to what the next step moves */
static enum outcome admit(struct ends *ends, bool write, uint64_t moved)
{
	struct region *local = mr_admit(&ends->local);
	struct region *remote;

	if (!local)
		return OUTCOME_BAD_LOCAL_KEY;
	remote = mr_admit(&ends->remote);
	if (!remote)
		return OUTCOME_REMOTE_BAD_ADDRESS;
	ends->from = (struct place){ ends->local.device, local, ends->local.address + moved };
	ends->to = (struct place){ ends->remote.device, remote, ends->remote.address + moved };
	if (!write) {
		struct place swap = ends->from;

		ends->from = ends->to;
		ends->to = swap;
	}
	return OUTCOME_OK;
}

static struct ends ends_of(struct device *device, const struct qp *qp, const struct peer *peer,
			   bool write)
{
	const struct work_request *request = &qp->send.request;

	return (struct ends){
		.local = local_segment(device, qp, &request->rdma.local[0],
				       write ? 0 : RIGHT_LOCAL_WRITE),
		.remote = {
			.device = peer->device,
			.key = request->rdma.remote.key,
			.pd = peer->qp->pd,
			.rights = write ? RIGHT_REMOTE_WRITE : RIGHT_REMOTE_READ,
			.address = request->rdma.remote.address_low |
				   (uint64_t)request->rdma.remote.address_high << 32,
			.length = request->rdma.remote.length,
		},
	};
}

/* move - the next part of an RDMA request */
static enum outcome move(struct device *device, struct qp *qp, const struct peer *peer,
			 struct turn *turn, uint64_t length)
{
	bool write = WORK_OPERATION(qp->send.request.kind) == OPERATION_WRITE;
	struct stats_rdma *ours = write ? &device->statistics.writes : &device->statistics.reads;
	struct stats_rdma *theirs = write ? &peer->device->statistics.writes :
					    &peer->device->statistics.reads;
	struct ends ends = ends_of(device, qp, peer, write);
	enum outcome outcome = admit(&ends, write, qp->send.moved);
	uint64_t part = length - qp->send.moved;

	if (outcome)
		return outcome;
	if (part > STEP_BYTES)
		part = STEP_BYTES;
	if (transfer_copy(&ends.to, &ends.from, part))
		return OUTCOME_REMOTE_ABORT;
	qp->send.moved += part;
	turn->bytes -= part < turn->bytes ? part : turn->bytes;
	ours->bytes += part;
	theirs->served_bytes += part;
	count_sent(device, peer, part);
	return OUTCOME_OK;
}

/* rdma_check - what can be wrong with an RDMA request before a byte moves */
static enum outcome rdma_check(struct device *device, const struct qp *qp,
			       const struct peer *peer, uint64_t *length)
{
	const struct work_request *request = &qp->send.request;

	*length = request->length ? request->rdma.local[0].length : 0;
	if (request->length > RDMA_SEGMENTS || *length > FEATURE_MAX_RDMA ||
	    *length != request->rdma.remote.length)
		return OUTCOME_BAD_LENGTH;
	if (ah_of(peer->device, peer->qp->pd, device->gid) == NO_HANDLE)
		return OUTCOME_REMOTE_UNKNOWN_PEER;
	return OUTCOME_OK;
}

static enum progress rdma_step(struct device *device, struct qp *qp, struct turn *turn,
			       enum outcome *outcome)
{
	const struct work_request *request = &qp->send.request;
	bool tells = WORK_OPERATION(request->kind) == OPERATION_WRITE &&
		     request->kind & WORK_HAS_IMMEDIATE;
	struct arrival arrival = {
		.from = device, .queue = qp_number(device, qp), .request = request,
	};
	struct peer peer;

	*outcome = peer_find(device, qp, request, &peer);
	if (!*outcome)
		*outcome = rdma_check(device, qp, &peer, &arrival.length);
	if (!*outcome && tells && !receive_is_posted(peer.qp))
		return not_ready(qp, turn, outcome);
	if (!*outcome && qp->send.moved < arrival.length)
		*outcome = move(device, qp, &peer, turn, arrival.length);
	if (!*outcome && qp->send.moved < arrival.length)
		return MORE;
	if (!*outcome && tells)
		*outcome = receive_notice(&peer, &arrival);
	return DONE;
}

static bool is_supported(const struct qp *qp, const struct work_request *request)
{
	unsigned int operation = WORK_OPERATION(request->kind);

	if (!(request->kind & WORK_IS_DESCRIPTOR) || !(request->control & WORK_FIRST) ||
	    !(request->control & WORK_LAST))
		return false;
	if (operation == OPERATION_SEND)
		return true;
	return qp->kind == QP_SRD && !(request->kind & WORK_INLINE) &&
	       (operation == OPERATION_READ || operation == OPERATION_WRITE);
}

static enum progress step(struct device *device, struct qp *qp, struct turn *turn,
			  enum outcome *outcome)
{
	*outcome = OUTCOME_UNSUPPORTED;
	if (!is_supported(qp, &qp->send.request))
		return DONE;
	if (WORK_OPERATION(qp->send.request.kind) == OPERATION_SEND)
		return send_step(device, qp, turn, outcome);
	return rdma_step(device, qp, turn, outcome);
}

static void begin(struct device *device, struct qp *qp)
{
	take(device, qp, &qp->send.request);
	qp->send.busy = true;
	qp->send.moved = 0;
	qp->send.attempts = 0;
}

static void count_rdma(struct device *device, const struct work_request *request,
		       enum outcome outcome)
{
	unsigned int operation = WORK_OPERATION(request->kind);
	struct stats_rdma *rdma = operation == OPERATION_WRITE ? &device->statistics.writes :
								 &device->statistics.reads;

	if (operation == OPERATION_SEND)
		return;
	rdma->requests++;
	if (outcome)
		rdma->failed++;
}

static void end(struct device *device, struct qp *qp, enum outcome outcome)
{
	/* A message to itself may have broken the queue pair, and flushed this. */
	if (!qp->send.busy)
		return;
	qp->send.busy = false;
	count_rdma(device, &qp->send.request, outcome);
	complete(device, qp, &qp->send.request, outcome);
}

static bool has_work(const struct qp *qp)
{
	return qp->state == QP_RTS && (qp->send.busy || qp->send.posted != qp->send.taken);
}

/* run - go on with a queue; true if it could go on at once when the turn is over */
static bool run(struct device *device, struct qp *qp, struct turn *turn)
{
	enum outcome outcome;

	while (has_work(qp) && turn->now >= qp->send.not_before) {
		if (!turn->bytes || (!qp->send.busy && !turn->requests))
			return true;
		if (!qp->send.busy) {
			turn->requests--;
			begin(device, qp);
		}
		if (step(device, qp, turn, &outcome) == DONE)
			end(device, qp, outcome);
	}
	return false;
}

void send_resume(struct device *device, struct qp *qp)
{
	struct turn turn = turn_of(device_clock());

	run(device, qp, &turn);
	if (has_work(qp))
		device->qps.waiting = true;
}

/* What a queue finds when it was idle waits for as long as a test asks. */
void send_post(struct device *device, struct qp *qp, uint16_t posted)
{
	uint64_t delay = device_controls(device)->delay_ms * MILLISECOND;
	bool idle = !qp->send.busy && qp->send.posted == qp->send.taken;

	qp->send.posted = posted;
	if (idle)
		qp->send.not_before = delay ? device_clock() + delay : 0;
	send_resume(device, qp);
}

void send_flush(struct device *device, struct qp *qp)
{
	struct work_request request;

	if (qp->send.busy) {
		qp->send.busy = false;
		complete(device, qp, &qp->send.request, OUTCOME_FLUSHED);
	}
	while (qp->send.posted != qp->send.taken) {
		take(device, qp, &request);
		complete(device, qp, &request, OUTCOME_FLUSHED);
	}
}

int send_tick(struct device *device, uint64_t now_ns)
{
	struct turn turn = turn_of(now_ns);
	unsigned int first = device->qps.turn++;
	bool waiting = device->qps.waiting;
	int wanted = -1;

	device->qps.waiting = false;
	if (!waiting)
		return -1;
	for (unsigned int i = 0; i < QPS; i++) {
		struct qp *qp = &device->qps.slots[(first + i) % QPS];
		uint64_t wait;

		if (!qp->live || !has_work(qp))
			continue;
		if (run(device, qp, &turn))
			wanted = 0;
		if (has_work(qp))
			device->qps.waiting = true;
		if (!has_work(qp) || !wanted)
			continue;
		wait = (qp->send.not_before - now_ns + MILLISECOND - 1) / MILLISECOND;
		if (wanted < 0 || wait < (uint64_t)wanted)
			wanted = wait < RETRY_PERIOD ? wait : RETRY_PERIOD;
	}
	return wanted;
}

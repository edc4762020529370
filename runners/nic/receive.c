// SPDX-License-Identifier: GPL-2.0-only
#include "nic/receive.h"

#include <errno.h>
#include <string.h>

#include "nic/state.h"
#include "nic/transfer.h"

/* One receive, out of the ring. */
struct receive {
	uint16_t id;
	unsigned int count;
	struct segment segments[RECEIVE_SEGMENTS];
	uint64_t room;			/* in all segments, bytes */
};

bool receive_is_posted(const struct qp *qp)
{
	return qp->receive.posted != qp->receive.taken;
}

static int next_descriptor(struct device *device, struct qp *qp,
			   struct receive_descriptor *descriptor)
{
	struct receive_queue *queue = &qp->receive;
	uint64_t index = queue->taken % queue->entries;

	queue->taken++;
	return memory_read(device_memory(device), queue->ring + index * sizeof(*descriptor),
			   descriptor, sizeof(*descriptor));
}

/* take - the entries from FIRST to LAST; 0 or -EPROTO if they are not that */
static int take(struct device *device, struct qp *qp, struct receive *receive)
{
	struct receive_descriptor next;

	*receive = (struct receive){ 0 };
	do {
		if (!receive_is_posted(qp) || receive->count == RECEIVE_SEGMENTS ||
		    next_descriptor(device, qp, &next) ||
		    !(next.key & RECEIVE_FIRST) != !!receive->count)
			return -EPROTO;
		if (!receive->count)
			receive->id = next.id;
		receive->segments[receive->count++] = (struct segment){
			.device = device,
			.key = next.key & KEY_MASK,
			.pd = qp->pd,
			.rights = RIGHT_LOCAL_WRITE,
			.address = next.address_low | (uint64_t)next.address_high << 32,
			.length = next.length,
		};
		receive->room += next.length;
	} while (!(next.key & RECEIVE_LAST));
	return 0;
}

static void complete(const struct peer *peer, uint16_t id, enum outcome outcome,
		     const struct arrival *arrival)
{
	const struct work_request *request = arrival->request;
	unsigned int operation = WORK_OPERATION(request->kind);
	struct completion completion = {
		.id = id,
		.outcome = outcome,
		.flags = COMPLETION_OF_RECEIVE | COMPLETION_OPERATION(operation),
		.queue = qp_number(peer->device, peer->qp),
		.length = arrival->length,
		.handle = ah_of(peer->device, peer->qp->pd, arrival->from->gid),
		.source = arrival->queue,
	};

	if (request->kind & WORK_HAS_IMMEDIATE) {
		completion.flags |= COMPLETION_IMMEDIATE;
		completion.immediate = request->immediate;
	}
	if (operation == OPERATION_WRITE)
		completion.length_high = arrival->length >> 16;
	else if (completion.handle == NO_HANDLE &&
		 cq_find(peer->device, peer->qp->receive_cq)->tells_address)
		memcpy(completion.address, arrival->from->gid, GID_BYTES);
	cq_store(peer->device, peer->qp->receive_cq, &completion);
}

/* scatter - the message over the segments; their room is enough */
static int scatter(const struct receive *receive, const void *bytes, uint64_t length)
{
	for (unsigned int i = 0; i < receive->count && length; i++) {
		struct segment segment = receive->segments[i];
		struct place to = { .device = segment.device, .address = segment.address };

		if (segment.length > length)
			segment.length = length;
		to.region = mr_admit(&segment);
		if (!to.region)
			return -EACCES;
		if (transfer_store(&to, bytes, segment.length))
			return -EFAULT;
		bytes = (const char *)bytes + segment.length;
		length -= segment.length;
	}
	return 0;
}

/* take_for - a receive for what arrives; a guest that posts nonsense loses its queue pair */
static enum outcome take_for(const struct peer *peer, struct receive *receive)
{
	if (!receive_is_posted(peer->qp))
		return OUTCOME_REMOTE_NOT_READY;
	if (!take(peer->device, peer->qp, receive))
		return OUTCOME_OK;
	qp_break(peer->device, peer->qp, "a receive is malformed or not there");
	return OUTCOME_REMOTE_ABORT;
}

enum outcome receive_message(const struct peer *peer, const struct arrival *arrival,
			     const void *bytes)
{
	struct receive receive;
	enum outcome outcome = take_for(peer, &receive);

	if (outcome)
		return outcome;
	if (receive.room < arrival->length) {
		complete(peer, receive.id, OUTCOME_BAD_LENGTH, arrival);
		return OUTCOME_REMOTE_BAD_LENGTH;
	}
	if (scatter(&receive, bytes, arrival->length)) {
		complete(peer, receive.id, OUTCOME_BAD_LOCAL_KEY, arrival);
		return OUTCOME_REMOTE_ABORT;
	}
	peer->device->statistics.messages.receives++;
	peer->device->statistics.messages.received_bytes += arrival->length;
	complete(peer, receive.id, OUTCOME_OK, arrival);
	return OUTCOME_OK;
}

enum outcome receive_notice(const struct peer *peer, const struct arrival *arrival)
{
	struct receive receive;
	enum outcome outcome = take_for(peer, &receive);

	if (!outcome)
		complete(peer, receive.id, OUTCOME_OK, arrival);
	return outcome;
}

void receive_flush(struct device *device, struct qp *qp)
{
	struct receive_descriptor next;
	struct completion completion = {
		.outcome = OUTCOME_FLUSHED,
		.flags = COMPLETION_OF_RECEIVE,
		.queue = qp_number(device, qp),
		.handle = NO_HANDLE,
	};

	while (receive_is_posted(qp)) {
		if (next_descriptor(device, qp, &next)) {
			qp->receive.taken = qp->receive.posted;
			break;
		}
		if (!(next.key & RECEIVE_FIRST))
			continue;
		completion.id = next.id;
		cq_store(device, qp->receive_cq, &completion);
	}
}

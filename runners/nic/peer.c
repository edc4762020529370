// SPDX-License-Identifier: GPL-2.0-only
#include "nic/peer.h"

#include "nic/fabric.h"
#include "nic/state.h"

enum outcome peer_find(struct device *device, const struct qp *qp,
		       const struct work_request *request, struct peer *peer)
{
	const struct ah *ah = ah_find(device, request->handle);

	*peer = (struct peer){ 0 };
	if (!ah || ah->pd != qp->pd)
		return OUTCOME_BAD_HANDLE;
	peer->device = fabric_find(device->fabric, ah->gid);
	if (!peer->device)
		return OUTCOME_UNREACHABLE;
	peer->qp = qp_find(peer->device, request->queue);
	if (!peer->qp || peer->qp->kind != qp->kind || !qp_receives(peer->qp))
		return OUTCOME_REMOTE_BAD_QUEUE;
	if (peer->qp->queue_key != request->queue_key) {
		peer->device->statistics.basic.bad_queue_keys++;
		return OUTCOME_REMOTE_BAD_QUEUE;
	}
	return OUTCOME_OK;
}

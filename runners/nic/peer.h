/* SPDX-License-Identifier: GPL-2.0-only */
/* The other side of a work request. */
#ifndef CTS_NIC_PEER_H
#define CTS_NIC_PEER_H

#include "nic/qp.h"
#include "nic/wire/io.h"

/* Found anew for each step: it may be gone at the next one. */
struct peer {
	struct device *device;	/* NULL if there is none to blame */
	struct qp *qp;
};

/**
 * peer_find - who a work request goes to
 * @peer: out
 *
 * Return: OUTCOME_OK; OUTCOME_BAD_HANDLE; OUTCOME_UNREACHABLE; OUTCOME_REMOTE_BAD_QUEUE for one
 * that is not there, of another kind, in no state to receive, or has another queue key.
 */
enum outcome peer_find(struct device *device, const struct qp *qp,
		       const struct work_request *request, struct peer *peer);

#endif

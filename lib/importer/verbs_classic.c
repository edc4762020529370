// SPDX-License-Identifier: GPL-2.0-only
/* Reliable connections and unreliable datagrams, as all but one vendor do it. */
#include "importer/verbs_object.h"

#ifdef VERBS_HEADERS

#define MTU_BYTES(mtu)	(128u << (mtu))	/* enum ibv_mtu counts from 256 = 1 */

/* One on iWARP needs a connection manager, and is none of ours. */
static bool suits_rc(struct verbs *verbs, struct verbs_traits *traits)
{
	const struct ibv_device *device = verbs->context->device;

	if (device->node_type != IBV_NODE_CA ||
	    device->transport_type != IBV_TRANSPORT_IB)
		return false;
	traits->rdma_read = true;
	traits->rdma_write = true;
	traits->message_max = verbs->port.max_msg_sz;
	traits->send_max = verbs->port.max_msg_sz;
	return true;
}

static bool suits_ud(struct verbs *verbs, struct verbs_traits *traits)
{
	if (verbs->context->device->node_type == IBV_NODE_RNIC)
		return false;
	traits->rdma_read = false;
	traits->rdma_write = false;
	traits->message_max = 0;
	traits->send_max = MTU_BYTES(verbs->port.active_mtu);
	return true;
}

static struct ibv_qp *create(struct verbs_end *end,
			     const struct ibv_qp_init_attr *attributes)
{
	struct ibv_qp_init_attr own = *attributes;

	own.qp_type = end->transport->datagrams ? IBV_QPT_UD : IBV_QPT_RC;
	return end->domain->verbs->library->create_qp(end->domain->pd, &own);
}

static const enum ibv_wr_opcode opcodes[VERBS_OPERATION_COUNT] = {
	[VERBS_READ] = IBV_WR_RDMA_READ,
	[VERBS_WRITE] = IBV_WR_RDMA_WRITE,
	[VERBS_WRITE_IMMEDIATE] = IBV_WR_RDMA_WRITE_WITH_IMM,
	[VERBS_SEND] = IBV_WR_SEND,
	[VERBS_SEND_IMMEDIATE] = IBV_WR_SEND_WITH_IMM,
};

static int send_request(struct verbs_end *end, struct ibv_send_wr *request)
{
	struct ibv_send_wr *bad;

	return -ibv_post_send(end->qp, request, &bad);
}

static struct ibv_send_wr describe(const struct verbs_work *work,
				   struct ibv_sge *piece)
{
	*piece = (struct ibv_sge){
		.addr = work->local,
		.length = work->length,
		.lkey = work->lkey,
	};
	return (struct ibv_send_wr){
		.wr_id = work->id,
		.sg_list = piece,
		.num_sge = 1,
		.opcode = opcodes[work->operation],
		.send_flags = IBV_SEND_SIGNALED,
		.imm_data = htobe32(work->immediate),
	};
}

static int post_rc(struct verbs_end *end, const struct verbs_work *work)
{
	struct ibv_sge piece;
	struct ibv_send_wr request = describe(work, &piece);

	request.wr.rdma.remote_addr = work->remote;
	request.wr.rdma.rkey = work->rkey;
	return send_request(end, &request);
}

static int post_ud(struct verbs_end *end, const struct verbs_work *work)
{
	struct ibv_sge piece;
	struct ibv_send_wr request = describe(work, &piece);

	if (work->operation != VERBS_SEND &&
	    work->operation != VERBS_SEND_IMMEDIATE)
		return -EOPNOTSUPP;
	request.wr.ud.ah = end->route;
	request.wr.ud.remote_qpn = end->remote_qp;
	request.wr.ud.remote_qkey = VERBS_QKEY;
	return send_request(end, &request);
}

const struct verbs_transport verbs_rc = {
	.name = "RC",
	.modify_masks = {
		IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
		IBV_QP_ACCESS_FLAGS,
		IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
		IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
		IBV_QP_MIN_RNR_TIMER,
		IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
		IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC,
	},
	.suits = suits_rc,
	.create = create,
	.post = post_rc,
};

const struct verbs_transport verbs_ud = {
	.name = "UD",
	.datagrams = true,
	.modify_masks = {
		IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY,
		IBV_QP_STATE,
		IBV_QP_STATE | IBV_QP_SQ_PSN,
	},
	.suits = suits_ud,
	.create = create,
	.post = post_ud,
};

#endif

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Scalable reliable datagrams: the transport of Amazon's EFA, which libefa
 * gives. The one place that knows a vendor.
 */
#include "importer/verbs_object.h"

#ifdef VERBS_HEADERS

#if __has_include(<infiniband/efadv.h>)
#include <infiniband/efadv.h>
#include <rdma/efa-abi.h>
#include <string.h>

#define LIBRARY	"libefa.so.1"

struct srd_library {
	__typeof__(efadv_query_device) *query_device;
	__typeof__(efadv_create_qp_ex) *create_qp_ex;
};

/* What a queue pair must be told beforehand, for what the device can do. */
static const struct {
	uint32_t capability;		/* 0: every device */
	uint64_t operations;
} operations[] = {
	{ 0, IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM },
	{ EFADV_DEVICE_ATTR_CAPS_RDMA_READ, IBV_QP_EX_WITH_RDMA_READ },
	{ EFADV_DEVICE_ATTR_CAPS_RDMA_WRITE,
	  IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM },
};

/* Devices have one or two queues of completions in each. */
static const struct efa_ibv_create_cq queue_words[] = {
	{ .cq_entry_size = 16, .num_sub_cqs = 1 },
	{ .cq_entry_size = 16, .num_sub_cqs = 2 },
};

#define QUEUE_WORDS \
	.queue_words = queue_words, \
	.queue_words_size = sizeof(queue_words[0]), \
	.queue_words_count = sizeof(queue_words) / sizeof(queue_words[0]),

static const struct srd_library *load(void)
{
	static struct srd_library library;

	if (!library.create_qp_ex) {
		library.query_device = verbs_library_function(LIBRARY,
							      "efadv_query_device");
		library.create_qp_ex = verbs_library_function(LIBRARY,
							      "efadv_create_qp_ex");
	}
	return library.query_device && library.create_qp_ex ? &library : NULL;
}

static bool suits(struct verbs *verbs, struct verbs_traits *traits)
{
	struct efadv_device_attr attributes = { 0 };
	const struct srd_library *library;

	if (verbs->context->device->node_type != IBV_NODE_UNSPECIFIED)
		return false;
	library = load();
	if (!library || library->query_device(verbs->context, &attributes,
					      sizeof(attributes)))
		return false;
	verbs->send_operations = 0;
	for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++)
		if ((attributes.device_caps & operations[i].capability) ==
		    operations[i].capability)
			verbs->send_operations |= operations[i].operations;
	traits->rdma_read = verbs->send_operations & IBV_QP_EX_WITH_RDMA_READ;
	traits->rdma_write = verbs->send_operations & IBV_QP_EX_WITH_RDMA_WRITE;
	traits->message_max = attributes.max_rdma_size;
	traits->send_max = verbs->port.max_msg_sz;
	return true;
}

static struct ibv_qp *create(struct verbs_end *end,
			     const struct ibv_qp_init_attr *attributes)
{
	struct verbs *verbs = end->domain->verbs;
	struct efadv_qp_init_attr srd = {
		.driver_qp_type = EFADV_QP_DRIVER_TYPE_SRD,
	};
	struct ibv_qp_init_attr_ex extended = {
		.send_cq = attributes->send_cq,
		.recv_cq = attributes->recv_cq,
		.cap = attributes->cap,
		.qp_type = IBV_QPT_DRIVER,
		.comp_mask = IBV_QP_INIT_ATTR_PD |
			     IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
		.pd = end->domain->pd,
		.send_ops_flags = verbs->send_operations,
	};

	return load()->create_qp_ex(verbs->context, &extended, &srd,
				    sizeof(srd));
}

/* The first half of a work request; false if there is no such operation. */
static bool start(struct verbs *verbs, struct ibv_qp_ex *qp,
		  const struct verbs_work *work)
{
	uint32_t immediate = htobe32(work->immediate);

	switch (work->operation) {
	case VERBS_READ:
		if (!verbs->traits.rdma_read)
			return false;
		ibv_wr_rdma_read(qp, work->rkey, work->remote);
		return true;
	case VERBS_WRITE:
		if (!verbs->traits.rdma_write)
			return false;
		ibv_wr_rdma_write(qp, work->rkey, work->remote);
		return true;
	case VERBS_WRITE_IMMEDIATE:
		if (!verbs->traits.rdma_write)
			return false;
		ibv_wr_rdma_write_imm(qp, work->rkey, work->remote, immediate);
		return true;
	case VERBS_SEND:
		ibv_wr_send(qp);
		return true;
	case VERBS_SEND_IMMEDIATE:
		ibv_wr_send_imm(qp, immediate);
		return true;
	default:
		return false;
	}
}

static int post(struct verbs_end *end, const struct verbs_work *work)
{
	struct verbs *verbs = end->domain->verbs;
	struct ibv_qp_ex *qp = verbs->library->qp_to_qp_ex(end->qp);

	ibv_wr_start(qp);
	qp->wr_id = work->id;
	qp->wr_flags = IBV_SEND_SIGNALED;
	if (!start(verbs, qp, work)) {
		ibv_wr_abort(qp);
		return -EOPNOTSUPP;
	}
	ibv_wr_set_sge(qp, work->lkey, work->local, work->length);
	ibv_wr_set_ud_addr(qp, end->route, end->remote_qp, VERBS_QKEY);
	return -ibv_wr_complete(qp);
}
#else
static bool suits(struct verbs *verbs, struct verbs_traits *traits)
{
	(void)verbs;
	(void)traits;
	return false;
}

#define create	NULL
#define post	NULL
#define QUEUE_WORDS
#endif

const struct verbs_transport verbs_srd = {
	.name = "SRD",
	.datagrams = true,
	.modify_masks = {
		IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY,
		IBV_QP_STATE,
		IBV_QP_STATE | IBV_QP_SQ_PSN,
	},
	QUEUE_WORDS
	.suits = suits,
	.create = create,
	.post = post,
};

#endif

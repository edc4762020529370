// SPDX-License-Identifier: GPL-2.0-only
/* Queue pairs with their completion queues: made, connected, driven. */
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "importer/verbs_object.h"
#include "pair/await.h"

#ifdef VERBS_HEADERS

#define RUN_MS	10000

static int make_completions(struct verbs_end *end)
{
	const struct verbs_library *library = end->domain->verbs->library;
	struct ibv_context *context = end->domain->verbs->context;
	int ret;

	errno = 0;
	end->channel = library->create_comp_channel(context);
	if (!end->channel)
		return verbs_errno();
	/* Whoever waits for an event does so with a limit. */
	fcntl(end->channel->fd, F_SETFL, O_NONBLOCK);
	end->cq = library->create_cq(context, 2 * VERBS_QUEUE_DEPTH, end,
				     end->channel, 0);
	if (end->cq)
		return 0;
	ret = verbs_errno();
	library->destroy_comp_channel(end->channel);
	return ret;
}

static int make_queues(struct verbs_end *end)
{
	const struct ibv_qp_init_attr attributes = {
		.send_cq = end->cq,
		.recv_cq = end->cq,
		.cap = {
			.max_send_wr = VERBS_QUEUE_DEPTH,
			.max_recv_wr = VERBS_QUEUE_DEPTH,
			.max_send_sge = 1,
			.max_recv_sge = 1,
		},
	};

	errno = 0;
	end->qp = end->transport->create(end, &attributes);
	return end->qp ? 0 : verbs_errno();
}

int verbs_end_new(struct verbs_domain *domain, const char *transport,
		  struct verbs_end **made)
{
	struct verbs *verbs = domain->verbs;
	struct verbs_end *end = calloc(1, sizeof(*end));
	int ret = -ENOMEM;

	if (!end)
		return ret;
	end->domain = domain;
	end->transport = transport ? verbs_transport_find(verbs, transport) :
				     verbs->transport;
	ret = -EOPNOTSUPP;
	if (!end->transport)
		goto free_end;
	ret = make_completions(end);
	if (ret)
		goto free_end;
	ret = make_queues(end);
	if (ret)
		goto destroy_completions;
	*made = end;
	return 0;
destroy_completions:
	verbs->library->destroy_cq(end->cq);
	verbs->library->destroy_comp_channel(end->channel);
free_end:
	free(end);
	return ret;
}

/* The first error counts; all are destroyed that can be. */
int verbs_end_free(struct verbs_end *end)
{
	const struct verbs_library *library;
	int ret, error;

	if (!end)
		return 0;
	library = end->domain->verbs->library;
	ret = -library->destroy_qp(end->qp);
	error = end->route ? -library->destroy_ah(end->route) : 0;
	ret = ret ? ret : error;
	error = -library->destroy_cq(end->cq);
	ret = ret ? ret : error;
	error = -library->destroy_comp_channel(end->channel);
	free(end);
	return ret ? ret : error;
}

/* How @from reaches @to. */
static struct ibv_ah_attr address(const struct verbs *from,
				  const struct verbs *to)
{
	struct ibv_ah_attr address = {
		.port_num = VERBS_PORT,
		.dlid = to->port.lid,
	};

	if (from->port.link_layer == IBV_LINK_LAYER_INFINIBAND &&
	    from->port.lid)
		return address;
	address.is_global = 1;
	address.grh.dgid = to->gid;
	address.grh.sgid_index = from->gid_index;
	address.grh.hop_limit = 1;
	return address;
}

static uint8_t at_most(int limit, int wanted)
{
	return limit < wanted ? limit : wanted;
}

static int make_ready(struct verbs_end *end, const struct verbs_end *other)
{
	static const enum ibv_qp_state states[] = {
		IBV_QPS_INIT, IBV_QPS_RTR, IBV_QPS_RTS,
	};
	const struct verbs *verbs = end->domain->verbs;
	struct ibv_qp_attr attributes = {
		.port_num = VERBS_PORT,
		.qkey = VERBS_QKEY,
		.qp_access_flags = IBV_ACCESS_REMOTE_READ |
				   IBV_ACCESS_REMOTE_WRITE,
		.path_mtu = verbs->port.active_mtu,
		.dest_qp_num = other->qp->qp_num,
		.ah_attr = address(verbs, other->domain->verbs),
		.max_dest_rd_atomic = at_most(verbs->attributes.max_qp_rd_atom, 4),
		.max_rd_atomic = at_most(verbs->attributes.max_qp_init_rd_atom, 4),
		.min_rnr_timer = 12,
		.timeout = 14,
		.retry_cnt = 7,
		.rnr_retry = 7,
	};
	int ret = 0;

	for (size_t i = 0; !ret && i < sizeof(states) / sizeof(states[0]); i++) {
		attributes.qp_state = states[i];
		ret = -verbs->library->modify_qp(end->qp, &attributes,
						 end->transport->modify_masks[i]);
	}
	end->ready = !ret;
	return ret;
}

static int point_at(struct verbs_end *end, const struct verbs_end *other)
{
	const struct verbs *verbs = end->domain->verbs;
	struct ibv_ah_attr attributes = address(verbs, other->domain->verbs);
	struct ibv_ah *route;

	errno = 0;
	route = verbs->library->create_ah(end->domain->pd, &attributes);
	if (!route)
		return verbs_errno();
	if (end->route)
		verbs->library->destroy_ah(end->route);
	end->route = route;
	return 0;
}

static int connect_one(struct verbs_end *end, const struct verbs_end *other)
{
	int ret = end->ready ? 0 : make_ready(end, other);

	if (!ret && end->transport->datagrams)
		ret = point_at(end, other);
	if (!ret)
		end->remote_qp = other->qp->qp_num;
	return ret;
}

int verbs_connect(struct verbs_end *a, struct verbs_end *b)
{
	int ret;

	if (a->transport != b->transport)
		return -EINVAL;
	/* A connection has two ends for life; datagrams go where one likes. */
	if (!a->transport->datagrams && (a->ready || b->ready))
		return -EISCONN;
	ret = connect_one(a, b);
	return ret || a == b ? ret : connect_one(b, a);
}

int verbs_post(struct verbs_end *end, const struct verbs_work *work)
{
	if (!end->ready)
		return -ENOTCONN;
	return end->transport->post(end, work);
}

int verbs_post_receive(struct verbs_end *end, uint64_t id, uint32_t lkey,
		       uint64_t address, uint32_t length)
{
	struct ibv_sge piece = {
		.addr = address,
		.length = length,
		.lkey = lkey,
	};
	struct ibv_recv_wr request = {
		.wr_id = id,
		.sg_list = &piece,
		.num_sge = 1,
	};
	struct ibv_recv_wr *bad;

	if (!end->ready)
		return -ENOTCONN;
	return -ibv_post_recv(end->qp, &request, &bad);
}

/* 1 if there was one, 0 if not, or a negative errno. */
static int take(struct verbs_end *end, struct verbs_completion *completion)
{
	struct ibv_wc found;
	int count = ibv_poll_cq(end->cq, 1, &found);

	if (count < 0)
		return -EIO;
	if (!count)
		return 0;
	*completion = (struct verbs_completion){
		.id = found.wr_id,
		.status = found.status,
		.vendor_error = found.vendor_err,
	};
	/* The rest is not valid otherwise. */
	if (found.status)
		return 1;
	completion->received = found.opcode & IBV_WC_RECV;
	if (completion->received)
		completion->length = found.byte_len;
	completion->has_immediate = found.wc_flags & IBV_WC_WITH_IMM;
	if (completion->has_immediate)
		completion->immediate = be32toh(found.imm_data);
	return 1;
}

int verbs_complete(struct verbs_end *end, unsigned int ms,
		   struct verbs_completion *completion)
{
	int taken;

	if (!comes_true(ms, (taken = take(end, completion)) != 0))
		return -ETIMEDOUT;
	return taken < 0 ? taken : 0;
}

int verbs_arm(struct verbs_end *end)
{
	return -ibv_req_notify_cq(end->cq, 0);
}

int verbs_await_event(struct verbs_end *end, unsigned int ms)
{
	const struct verbs_library *library = end->domain->verbs->library;
	struct pollfd event = { .fd = end->channel->fd, .events = POLLIN };
	struct ibv_cq *cq;
	void *context;
	int ready = poll(&event, 1, ms);

	if (ready < 0)
		return -errno;
	if (!ready)
		return -ETIMEDOUT;
	if (library->get_cq_event(end->channel, &cq, &context))
		return verbs_errno();
	library->ack_cq_events(cq, 1);
	return 0;
}

int verbs_run(struct verbs_end *end, const struct verbs_work *work,
	      struct verbs_completion *completion)
{
	struct verbs_completion done = { 0 };
	int ret = verbs_post(end, work);

	if (!ret)
		ret = verbs_complete(end, RUN_MS, &done);
	if (!ret && done.status)
		ret = -EREMOTEIO;
	if (completion)
		*completion = done;
	return ret;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* What is behind the handles of verbs.h, and the transports that fill it. */
#ifndef CTS_VERBS_OBJECT_H
#define CTS_VERBS_OBJECT_H

#include <errno.h>

#include "importer/rdma_device.h"
#include "importer/verbs.h"
#include "importer/verbs_library.h"

#ifdef VERBS_HEADERS

#define VERBS_PORT		1
#define VERBS_QUEUE_DEPTH	64
#define VERBS_QKEY		0x00637473	/* any; ends agree on it */

struct verbs {
	const struct verbs_library *library;
	const struct verbs_transport *transport;	/* NULL: registers only */
	struct ibv_context *context;
	struct ibv_device_attr attributes;
	struct ibv_port_attr port;
	int gid_index;
	union ibv_gid gid;
	uint64_t send_operations;	/* IBV_QP_EX_WITH_*, for the transport */
	struct rdma_device device;
	struct verbs_traits traits;
};

struct verbs_domain {
	struct verbs *verbs;
	struct ibv_pd *pd;
};

struct verbs_end {
	struct verbs_domain *domain;
	const struct verbs_transport *transport;
	struct ibv_comp_channel *channel;
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	struct ibv_ah *route;		/* to the other end, if messages name it */
	uint32_t remote_qp;
	bool ready;
};

/*
 * One kind of queue pair. Which steps make it ready, and what a work request
 * looks like; all else is the same for all of them.
 */
struct verbs_transport {
	const char *name;
	bool datagrams;			/* each work request names its receiver */
	int modify_masks[3];		/* IBV_QP_*, for INIT, RTR and RTS */
	/* What its driver is told of a completion queue, each as long as that. */
	const void *queue_words;
	size_t queue_words_size;
	unsigned int queue_words_count;
	/* Whether the device has it; fills what it can move, and how much at once. */
	bool (*suits)(struct verbs *verbs, struct verbs_traits *traits);
	struct ibv_qp *(*create)(struct verbs_end *end,
				 const struct ibv_qp_init_attr *attributes);
	int (*post)(struct verbs_end *end, const struct verbs_work *work);
};

extern const struct verbs_transport verbs_srd, verbs_rc, verbs_ud;

/**
 * verbs_transport_pick - the best transport of an open device
 * @verbs: the device, with its attributes; gets transport and traits
 */
void verbs_transport_pick(struct verbs *verbs);

/**
 * verbs_transport_find - a transport by name, if the device has it
 *
 * Return: it, or NULL.
 */
const struct verbs_transport *verbs_transport_find(struct verbs *verbs,
						   const char *name);

/* A call of the library that leaves its reason in errno, or should. */
static inline int verbs_errno(void)
{
	return errno ? -errno : -EIO;
}

#endif
#endif

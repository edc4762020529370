/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's verbs interface without libibverbs and without a provider: an
 * ioctl with a list of attributes. Good for registrations, with arguments that
 * a library would never send; moves no bytes.
 */
#ifndef CTS_UVERBS_H
#define CTS_UVERBS_H

#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "importer/verbs.h"

#define UVERBS_ATTRIBUTES_MAX	16

struct uverbs {
	int fd;				/* /dev/infiniband/uverbsN */
	uint32_t driver_id;		/* enum rdma_driver_id; every call names it */
};

/*
 * An attribute of a call, as struct ib_uverbs_attr has it. Up to eight bytes
 * of input go by value, longer ones and all output by address.
 */
struct uverbs_attribute {
	uint16_t id;			/* UVERBS_ATTR_* */
	uint16_t length;		/* bytes; 0 for handles */
	uint64_t data;			/* value or address; a new handle on return */
	bool optional;			/* the kernel may ignore it */
};

/**
 * uverbs_open - open a device's node and find out its driver's id
 * @device: "efa_0"
 * @uverbs: filled; it has no context yet
 *
 * Return: 0, -ENODEV if the device has no node, or the errno of open().
 */
int uverbs_open(const char *device, struct uverbs *uverbs);

/**
 * uverbs_borrow - the node of a device that the library opened
 * @verbs: the device; it has a context already
 * @uverbs: filled; to be closed as well
 *
 * For drivers that want their provider's data in GET_CONTEXT, as mlx5 does.
 * verbs_domain_handle() is a protection domain of it.
 *
 * Return: 0 or a negative errno.
 */
int uverbs_borrow(const struct verbs *verbs, struct uverbs *uverbs);

/**
 * uverbs_close - close the node: the kernel takes down all that is left
 */
void uverbs_close(struct uverbs *uverbs);

/**
 * uverbs_call - one call, exactly as it is said
 * @uverbs: an open node
 * @object: UVERBS_OBJECT_*
 * @method: UVERBS_METHOD_*
 * @attributes: of the call; handles that the kernel gives are stored here
 * @count: how many, at most UVERBS_ATTRIBUTES_MAX
 *
 * Return: 0 or a negative errno.
 */
int uverbs_call(const struct uverbs *uverbs, uint16_t object, uint16_t method,
		struct uverbs_attribute *attributes, size_t count);

/**
 * uverbs_call_unanswered - one call, from memory that the kernel cannot write
 * @uverbs: an open node
 * @object, @method, @attributes, @count: as of uverbs_call()
 *
 * Return: 0 if it succeeded all the same, -EFAULT from a kernel that noticed,
 * or another negative errno.
 */
int uverbs_call_unanswered(const struct uverbs *uverbs, uint16_t object,
			   uint16_t method,
			   const struct uverbs_attribute *attributes,
			   size_t count);

/**
 * uverbs_get_context - GET_CONTEXT; the node has one context, once
 */
int uverbs_get_context(const struct uverbs *uverbs);

/**
 * uverbs_alloc_pd - ALLOC_PD
 * @uverbs: a node with a context
 * @pd: set to its handle
 * uverbs_dealloc_pd - DEALLOC_PD
 */
int uverbs_alloc_pd(const struct uverbs *uverbs, uint32_t *pd);
int uverbs_dealloc_pd(const struct uverbs *uverbs, uint32_t pd);

/* The access flags come last: a call may leave them out. */
#define UVERBS_REGISTER_ATTRIBUTES	9

/**
 * uverbs_describe - what REG_DMABUF_MR is told of a registration
 * @attributes: filled; the first one gets the new handle
 * @pd: handle of a protection domain, or any number
 * @request: the registration
 * @lkey, @rkey: where the keys go
 */
void uverbs_describe(struct uverbs_attribute attributes[UVERBS_REGISTER_ATTRIBUTES],
		     uint32_t pd, const struct verbs_request *request,
		     uint32_t *lkey, uint32_t *rkey);

/**
 * uverbs_register - REG_DMABUF_MR
 * @uverbs: a node with a context
 * @pd: handle of a protection domain, or any number
 * @request: the registration
 * @mr: set to its handle
 * @region: gets keys, iova and length; its mr stays NULL; may be NULL
 *
 * Return: 0 or the negative errno that the kernel gave.
 */
int uverbs_register(const struct uverbs *uverbs, uint32_t pd,
		    const struct verbs_request *request, uint32_t *mr,
		    struct verbs_region *region);

/**
 * uverbs_deregister - MR_DESTROY
 * @uverbs: a node with a context
 * @mr: handle of a registration, or any number
 */
int uverbs_deregister(const struct uverbs *uverbs, uint32_t mr);

#endif

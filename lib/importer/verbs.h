/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An RDMA device in single steps, through libibverbs: open it, register a
 * dma-buf or memory, post work, look at completions. What the back end
 * "verbs" does in one call, with the arguments and the keys in the test's
 * hand. Works on every device whose transport verbs_transport.c has a row for.
 *
 * Calls return 0 or a negative errno unless they say otherwise. The library
 * is loaded when the first device is opened: programs do not link it.
 */
#ifndef CTS_VERBS_H
#define CTS_VERBS_H

#include <rdma/ib_user_ioctl_verbs.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "importer/importer.h"

struct verbs;		/* an open device */
struct verbs_domain;	/* a protection domain of it */
struct verbs_end;	/* a queue pair with its completion queue */

/* The access rights of a registration; any other bits may be asked for, too. */
#define VERBS_LOCAL_WRITE	IB_UVERBS_ACCESS_LOCAL_WRITE
#define VERBS_REMOTE_WRITE	IB_UVERBS_ACCESS_REMOTE_WRITE
#define VERBS_REMOTE_READ	IB_UVERBS_ACCESS_REMOTE_READ
#define VERBS_REMOTE_ATOMIC	IB_UVERBS_ACCESS_REMOTE_ATOMIC
#define VERBS_ON_DEMAND		IB_UVERBS_ACCESS_ON_DEMAND

/* What the open device can do. */
struct verbs_traits {
	char name[64];			/* "efa_0" */
	char pci[48];			/* "0000:00:09.0", or empty */
	const char *transport;		/* "SRD", "RC" or "UD"; NULL: only registers */
	bool rdma_read;
	bool rdma_write;
	uint32_t message_max;		/* bytes one RDMA read or write moves */
	uint32_t send_max;		/* bytes one send moves */
	uint64_t region_max;		/* bytes one registration covers */
};

/* A registration as it is asked for: nothing is checked on the way. */
struct verbs_request {
	int fd;				/* dma-buf */
	uint64_t offset;		/* bytes from its start */
	uint64_t length;		/* bytes */
	uint64_t iova;			/* address of the first byte in work requests */
	uint32_t access;		/* VERBS_* */
};

/* A registration as it was given; all zero means none. */
struct verbs_region {
	void *mr;			/* the library's */
	uint32_t lkey;
	uint32_t rkey;
	uint64_t iova;
	uint64_t length;
};

enum verbs_operation {
	VERBS_READ,			/* remote to local */
	VERBS_WRITE,			/* local to remote */
	VERBS_WRITE_IMMEDIATE,		/* completes at the other end as well */
	VERBS_SEND,			/* local into what is posted there */
	VERBS_SEND_IMMEDIATE,
	VERBS_OPERATION_COUNT
};

/* One work request: addresses are iovas, keys may be any numbers. */
struct verbs_work {
	enum verbs_operation operation;
	uint64_t id;			/* comes back in the completion */
	uint64_t local;
	uint32_t lkey;
	uint32_t length;		/* bytes */
	uint64_t remote;		/* not for sends */
	uint32_t rkey;			/* not for sends */
	uint32_t immediate;
};

struct verbs_completion {
	uint64_t id;
	int status;			/* enum ibv_wc_status; 0 is success */
	uint32_t vendor_error;
	uint32_t length;		/* bytes received; for receives alone */
	bool received;			/* of a receive */
	bool has_immediate;
	uint32_t immediate;
};

/**
 * verbs_of - the device that an importer opened
 * @importer: an open importer with the capability IMPORTER_VERBS
 */
struct verbs *verbs_of(const struct importer *importer);

/**
 * verbs_prepare - load libibverbs and the providers of the devices that are there
 */
void verbs_prepare(void);

/**
 * verbs_open - open a device once more, with a context of its own
 * @device: its name, "efa_0", or its PCI address
 * @verbs: set; give it back with verbs_close()
 *
 * Return: 0, -ENODEV if there is no such device, -ENOENT if rdma-core is not
 * installed, -EOPNOTSUPP if it was not there when this was built, or the
 * errno of the open.
 */
int verbs_open(const char *device, struct verbs **verbs);

/**
 * verbs_close - close it; its domains, regions and ends must be gone
 * @verbs: the device, or NULL
 *
 * Return: 0 or the negative errno of the library.
 */
int verbs_close(struct verbs *verbs);

/**
 * verbs_traits - what the device can do
 */
const struct verbs_traits *verbs_traits(const struct verbs *verbs);

/**
 * verbs_queue_words - what a driver wants to be told of a completion queue, in
 *	words of its own, where no library does it
 * @verbs: the device
 * @choice: there may be several, to be tried from 0 on
 * @words: set
 *
 * Return: bytes at @words; 0 if there are no more, or none are known.
 */
size_t verbs_queue_words(const struct verbs *verbs, unsigned int choice,
			 const void **words);

/**
 * verbs_command_fd - the device's open file, which stays the library's
 */
int verbs_command_fd(const struct verbs *verbs);

/**
 * verbs_domain_new - allocate a protection domain
 * verbs_domain_free - give it back
 */
int verbs_domain_new(struct verbs *verbs, struct verbs_domain **domain);
int verbs_domain_free(struct verbs_domain *domain);

/**
 * verbs_domain_traits - what the device of a domain can do
 */
const struct verbs_traits *verbs_domain_traits(const struct verbs_domain *domain);

/**
 * verbs_domain_handle - the kernel's name for it, as uverbs_register() wants it
 */
uint32_t verbs_domain_handle(const struct verbs_domain *domain);

/**
 * verbs_register - ibv_reg_dmabuf_mr()
 * @domain: protection domain
 * @request: the arguments, handed on as they are
 * @region: filled; end it with verbs_deregister()
 *
 * Return: 0 or the negative errno that the library or the kernel gave.
 */
int verbs_register(struct verbs_domain *domain,
		   const struct verbs_request *request,
		   struct verbs_region *region);

/**
 * verbs_register_memory - ibv_reg_mr() of the caller's own memory
 * @domain: protection domain
 * @memory: its start; also the iova
 * @length: bytes
 * @access: VERBS_*
 * @region: filled; end it with verbs_deregister()
 *
 * Return: 0 or the negative errno that the library or the kernel gave.
 */
int verbs_register_memory(struct verbs_domain *domain, void *memory,
			  size_t length, uint32_t access,
			  struct verbs_region *region);

/**
 * verbs_deregister - ibv_dereg_mr(); of an empty region nothing
 * @region: emptied if that worked; keys that were copied are stale then
 */
int verbs_deregister(struct verbs_region *region);

/**
 * verbs_end_new - make a queue pair with a completion queue of its own
 * @domain: whose protection domain it is in
 * @transport: "SRD", "RC" or "UD"; NULL takes that of the device's traits
 * @end: set; ready once verbs_connect() was called for it
 * verbs_end_free - destroy them; whatever is queued is flushed or lost
 *
 * Return: 0, -EOPNOTSUPP if the device has no such transport, or the
 * negative errno of the library.
 */
int verbs_end_new(struct verbs_domain *domain, const char *transport,
		  struct verbs_end **end);
int verbs_end_free(struct verbs_end *end);

/**
 * verbs_connect - let two ends reach each other
 * @a: one end
 * @b: the other, on the same device or on another of the same transport;
 *     one end that talks to itself is allowed
 */
int verbs_connect(struct verbs_end *a, struct verbs_end *b);

/**
 * verbs_post - queue a work request
 * @end: a connected end
 * @work: the work
 *
 * Return: 0, -EOPNOTSUPP if the device has no such operation, or the
 * negative errno of the library.
 */
int verbs_post(struct verbs_end *end, const struct verbs_work *work);

/**
 * verbs_post_receive - queue a buffer for what is sent to this end
 * @end: a connected end
 * @id: comes back in the completion
 * @lkey: of the region the buffer is in
 * @address: iova of the buffer
 * @length: bytes; of a datagram (UD) the first 40 are not the sender's
 */
int verbs_post_receive(struct verbs_end *end, uint64_t id, uint32_t lkey,
		       uint64_t address, uint32_t length);

/**
 * verbs_complete - take the next completion
 * @end: the end
 * @ms: how long to wait for it; 0 looks once
 * @completion: filled
 *
 * Return: 0, -ETIMEDOUT if none came, or a negative errno.
 */
int verbs_complete(struct verbs_end *end, unsigned int ms,
		   struct verbs_completion *completion);

/**
 * verbs_arm - ask for an event with the next completion
 * verbs_await_event - wait for that event
 * @end: the end
 * @ms: how long to wait for it
 *
 * Return: 0, -ETIMEDOUT if none came, or a negative errno.
 */
int verbs_arm(struct verbs_end *end);
int verbs_await_event(struct verbs_end *end, unsigned int ms);

/**
 * verbs_run - post a work request and wait until it is done
 * @end: a connected end with nothing queued
 * @work: the work
 * @completion: filled if there was one; may be NULL
 *
 * Return: 0, -EREMOTEIO if it completed with an error, -ETIMEDOUT if it did
 * not complete within 10 s, or what verbs_post() gave.
 */
int verbs_run(struct verbs_end *end, const struct verbs_work *work,
	      struct verbs_completion *completion);

/* A process that holds a registration until it is killed. */
struct verbs_child {
	pid_t pid;
	struct verbs_region region;	/* keys as the child has them; no mr */
};

/**
 * verbs_child_start - let a new process open the device and register
 * @device: name of the device
 * @request: the registration; @request->fd is inherited
 * @child: filled once it has registered; end it with verbs_child_kill()
 *
 * Return: 0 or the negative errno that the child met.
 */
int verbs_child_start(const char *device, const struct verbs_request *request,
		      struct verbs_child *child);

/**
 * verbs_child_kill - kill it by SIGKILL and wait until it is gone
 *
 * Return: 0, -ESRCH if it was killed before or never started.
 */
int verbs_child_kill(struct verbs_child *child);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registrations as tests make them: a range of a buffer, at an address that
 * is aligned as the range is, with the rights that moving bytes needs.
 */
#ifndef CTS_REGION_H
#define CTS_REGION_H

#include <stdint.h>

#include "exporter/exporter.h"
#include "importer/uverbs.h"
#include "importer/verbs.h"
#include "pair/decline.h"

/* Where regions begin, apart from their offset: any page size fits. */
#define REGION_BASE	UINT64_C(0x0000200000000000)

/* Access flags that a registration of a dma-buf may have. */
#define REGION_RELAXED_ORDERING	IB_UVERBS_ACCESS_RELAXED_ORDERING
#define REGION_ACCESS_ALLOWED \
	(VERBS_LOCAL_WRITE | VERBS_REMOTE_WRITE | VERBS_REMOTE_READ | \
	 VERBS_REMOTE_ATOMIC | REGION_RELAXED_ORDERING)

/**
 * region_request - ask for a range of a buffer
 * @domain: of the device that shall get it
 * @buffer: the buffer
 * @offset: bytes from its start
 * @length: bytes
 *
 * Return: a request that a good device takes if the range is within the buffer.
 */
struct verbs_request region_request(const struct verbs_domain *domain,
				    const struct buffer *buffer,
				    uint64_t offset, uint64_t length);

/**
 * region_try - register, and deregister at once if that worked
 * @domain: protection domain
 * @request: the registration
 *
 * Return: 0 or a negative errno.
 */
int region_try(struct verbs_domain *domain, const struct verbs_request *request);

/* The kernel's own interface to a protection domain. */
struct raw_domain {
	struct verbs_domain *domain;
	struct uverbs uverbs;
	uint32_t pd;
};

/**
 * raw_domain_open - a protection domain to be used without the library
 * @verbs: an open device
 * @raw: filled; give it back with raw_domain_close()
 * raw_domain_close - free it; its regions must be gone
 *
 * Return: 0 or a negative errno.
 */
int raw_domain_open(struct verbs *verbs, struct raw_domain *raw);
int raw_domain_close(struct raw_domain *raw);

/**
 * raw_register_and_keep - REG_DMABUF_MR with access flags of any size
 * @raw: the domain
 * @request: the registration; its access is left aside
 * @flags: the access flags
 * @size: bytes of them; 0 leaves them out
 * @mr: set to its handle, for uverbs_deregister()
 * @region: gets keys, iova and length; its mr stays NULL
 * raw_register - the same, and what was made is destroyed at once
 *
 * Return: 0 or the negative errno of the kernel.
 */
int raw_register_and_keep(const struct raw_domain *raw,
			  const struct verbs_request *request, uint64_t flags,
			  uint16_t size, uint32_t *mr,
			  struct verbs_region *region);
int raw_register(const struct raw_domain *raw,
		 const struct verbs_request *request, uint64_t flags,
		 uint16_t size);

/**
 * region_attachments - how many devices are attached to a buffer
 * @buffer: of any exporter
 *
 * Return: as bufinfo tells it, or a negative errno.
 */
int region_attachments(const struct buffer *buffer);

/* A domain of the case's own, on a pair where a good registration works. */
#define must_open_domain(domain_) \
	do { \
		struct verbs_request whole_; \
\
		needs_no_decline(); \
		must(verbs_domain_new(verbs_of(self->importer), domain_)); \
		whole_ = region_request(*(domain_), &self->buffer, 0, \
					self->buffer.size); \
		must(region_try(*(domain_), &whole_)); \
	} while (0)

/* The same, to be used without the library. */
#define must_open_raw(raw_) \
	do { \
		struct verbs_request whole_; \
\
		needs_no_decline(); \
		must(raw_domain_open(verbs_of(self->importer), raw_)); \
		whole_ = region_request((raw_)->domain, &self->buffer, 0, \
					self->buffer.size); \
		must(raw_register(raw_, &whole_, whole_.access, 4)); \
	} while (0)

#endif

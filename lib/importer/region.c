// SPDX-License-Identifier: GPL-2.0-only
/* Registrations as tests make them. */
#include "importer/region.h"

#include <errno.h>

#include "importer/verbs_mover.h"
#include "oracle/bufinfo.h"
#include "oracle/fds.h"

struct verbs_request region_request(const struct verbs_domain *domain,
				    const struct buffer *buffer,
				    uint64_t offset, uint64_t length)
{
	return (struct verbs_request){
		.fd = buffer->fd,
		.offset = offset,
		.length = length,
		.iova = REGION_BASE + offset,
		.access = verbs_move_access(verbs_domain_traits(domain),
					    IMPORT_BOTH),
	};
}

int region_try(struct verbs_domain *domain, const struct verbs_request *request)
{
	struct verbs_region region;
	int ret = verbs_register(domain, request, &region);

	return ret ? ret : verbs_deregister(&region);
}

int raw_domain_open(struct verbs *verbs, struct raw_domain *raw)
{
	int ret = verbs_domain_new(verbs, &raw->domain);

	if (ret)
		return ret;
	ret = uverbs_borrow(verbs, &raw->uverbs);
	if (ret) {
		verbs_domain_free(raw->domain);
		return ret;
	}
	raw->pd = verbs_domain_handle(raw->domain);
	return 0;
}

int raw_domain_close(struct raw_domain *raw)
{
	uverbs_close(&raw->uverbs);
	return verbs_domain_free(raw->domain);
}

int raw_register_and_keep(const struct raw_domain *raw,
			  const struct verbs_request *request, uint64_t flags,
			  uint16_t size, uint32_t *mr,
			  struct verbs_region *region)
{
	static const uint64_t zeroes[8];
	struct uverbs_attribute attributes[UVERBS_REGISTER_ATTRIBUTES];
	struct uverbs_attribute *access =
		&attributes[UVERBS_REGISTER_ATTRIBUTES - 1];
	int ret;

	*region = (struct verbs_region){
		.iova = request->iova, .length = request->length,
	};
	uverbs_describe(attributes, raw->pd, request, &region->lkey,
			&region->rkey);
	access->length = size;
	access->data = size > 8 ? (uintptr_t)zeroes : flags;
	ret = uverbs_call(&raw->uverbs, UVERBS_OBJECT_MR,
			  UVERBS_METHOD_REG_DMABUF_MR, attributes,
			  UVERBS_REGISTER_ATTRIBUTES - !size);
	*mr = attributes[0].data;
	return ret;
}

int raw_register(const struct raw_domain *raw,
		 const struct verbs_request *request, uint64_t flags,
		 uint16_t size)
{
	struct verbs_region region;
	uint32_t mr;
	int ret = raw_register_and_keep(raw, request, flags, size, &mr,
					&region);

	return ret ? ret : uverbs_deregister(&raw->uverbs, mr);
}

int region_attachments(const struct buffer *buffer)
{
	struct bufinfo info;
	int found = bufinfo_find(fds_inode(buffer->fd), &info);

	if (found < 0)
		return found;
	return found ? info.attachments : -ENOENT;
}

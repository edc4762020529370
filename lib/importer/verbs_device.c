// SPDX-License-Identifier: GPL-2.0-only
/* Opens RDMA devices, and registers memory with them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "importer/verbs_object.h"
#include "pair/kernel.h"

#ifdef VERBS_HEADERS

/* The library loads providers when it is first asked for devices. */
void verbs_prepare(void)
{
	const char *why;
	const struct verbs_library *library = verbs_library_load(&why);
	struct ibv_device **list = library ? library->get_device_list(NULL) : NULL;

	if (list)
		library->free_device_list(list);
}

/* The library's list, for as long as one of its devices is looked for. */
static struct ibv_context *open_context(const struct verbs_library *library,
					const char *name)
{
	struct ibv_device **list = library->get_device_list(NULL);
	struct ibv_context *context = NULL;

	errno = ENODEV;
	for (int i = 0; list && list[i]; i++) {
		if (strcmp(library->get_device_name(list[i]), name))
			continue;
		errno = 0;
		context = library->open_device(list[i]);
		break;
	}
	if (list) {
		int error = errno;

		library->free_device_list(list);
		errno = error;
	}
	return context;
}

#define GIDS_ASKED	16

/* RoCE has a table of addresses: the second version can be routed. */
static int preferred_gid(const struct verbs *verbs)
{
	char path[192], type[32];

	if (verbs->port.link_layer != IBV_LINK_LAYER_ETHERNET)
		return 0;
	for (int i = 0; i < GIDS_ASKED && i < verbs->port.gid_tbl_len; i++) {
		snprintf(path, sizeof(path),
			 "/sys/class/infiniband/%s/ports/%d/gid_attrs/types/%d",
			 verbs->device.name, VERBS_PORT, i);
		if (kernel_read_line(path, type, sizeof(type)) > 0 &&
		    !strcmp(type, "RoCE v2"))
			return i;
	}
	return 0;
}

static int query(struct verbs *verbs)
{
	const struct verbs_library *library = verbs->library;
	struct verbs_traits *traits = &verbs->traits;
	/* Returns the errno. */
	int ret = -library->query_device(verbs->context, &verbs->attributes);

	if (ret)
		return ret;
	/* A device may lack what only the movement of bytes needs. */
	library->query_port(verbs->context, VERBS_PORT,
			    (struct _compat_ibv_port_attr *)&verbs->port);
	verbs->gid_index = preferred_gid(verbs);
	library->query_gid(verbs->context, VERBS_PORT, verbs->gid_index,
			   &verbs->gid);
	snprintf(traits->name, sizeof(traits->name), "%s", verbs->device.name);
	if (verbs->device.pci)
		snprintf(traits->pci, sizeof(traits->pci), "%s",
			 verbs->device.parent);
	traits->region_max = verbs->attributes.max_mr_size;
	return 0;
}

int verbs_open(const char *device, struct verbs **opened)
{
	struct verbs *verbs = calloc(1, sizeof(*verbs));
	const char *why;
	int ret = -ENOMEM;

	if (!verbs)
		return ret;
	ret = -ENOENT;
	verbs->library = verbs_library_load(&why);
	if (!verbs->library)
		goto free_verbs;
	ret = rdma_find(device, &verbs->device);
	if (ret)
		goto free_verbs;
	verbs->context = open_context(verbs->library, verbs->device.name);
	ret = verbs->context ? 0 : verbs_errno();
	if (ret)
		goto free_verbs;
	ret = query(verbs);
	if (ret)
		goto close_context;
	verbs_transport_pick(verbs);
	*opened = verbs;
	return 0;
close_context:
	verbs->library->close_device(verbs->context);
free_verbs:
	free(verbs);
	return ret;
}

int verbs_close(struct verbs *verbs)
{
	int ret;

	if (!verbs)
		return 0;
	ret = verbs->library->close_device(verbs->context) ? verbs_errno() : 0;
	free(verbs);
	return ret;
}

const struct verbs_traits *verbs_traits(const struct verbs *verbs)
{
	return &verbs->traits;
}

int verbs_command_fd(const struct verbs *verbs)
{
	return verbs->context->cmd_fd;
}

int verbs_domain_new(struct verbs *verbs, struct verbs_domain **made)
{
	struct verbs_domain *domain = malloc(sizeof(*domain));
	int ret;

	if (!domain)
		return -ENOMEM;
	domain->verbs = verbs;
	errno = 0;
	domain->pd = verbs->library->alloc_pd(verbs->context);
	if (!domain->pd) {
		ret = verbs_errno();
		free(domain);
		return ret;
	}
	*made = domain;
	return 0;
}

int verbs_domain_free(struct verbs_domain *domain)
{
	int ret;

	if (!domain)
		return 0;
	/* Returns the errno; the domain stays if something is still in it. */
	ret = -domain->verbs->library->dealloc_pd(domain->pd);
	if (!ret)
		free(domain);
	return ret;
}

const struct verbs_traits *verbs_domain_traits(const struct verbs_domain *domain)
{
	return &domain->verbs->traits;
}

uint32_t verbs_domain_handle(const struct verbs_domain *domain)
{
	return domain->pd->handle;
}

static int describe_region(struct ibv_mr *mr, uint64_t iova, uint64_t length,
			   struct verbs_region *region)
{
	if (!mr)
		return verbs_errno();
	*region = (struct verbs_region){
		.mr = mr,
		.lkey = mr->lkey,
		.rkey = mr->rkey,
		.iova = iova,
		.length = length,
	};
	return 0;
}

int verbs_register(struct verbs_domain *domain,
		   const struct verbs_request *request,
		   struct verbs_region *region)
{
	struct ibv_mr *mr;

	memset(region, 0, sizeof(*region));
	errno = 0;
	mr = domain->verbs->library->reg_dmabuf_mr(domain->pd, request->offset,
						   request->length,
						   request->iova, request->fd,
						   request->access);
	return describe_region(mr, request->iova, request->length, region);
}

int verbs_register_memory(struct verbs_domain *domain, void *memory,
			  size_t length, uint32_t access,
			  struct verbs_region *region)
{
	struct ibv_mr *mr;

	memset(region, 0, sizeof(*region));
	errno = 0;
	mr = domain->verbs->library->reg_mr(domain->pd, memory, length, access);
	return describe_region(mr, (uintptr_t)memory, length, region);
}

int verbs_deregister(struct verbs_region *region)
{
	const char *why;
	int ret;

	if (!region->mr)
		return 0;
	ret = -verbs_library_load(&why)->dereg_mr(region->mr);
	if (!ret)
		memset(region, 0, sizeof(*region));
	return ret;
}

#endif

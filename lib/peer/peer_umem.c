// SPDX-License-Identifier: GPL-2.0-only
/* One function per ioctl of the importer through RDMA core. */
#include "peer/peer_umem.h"

#include <stdbool.h>
#include <stdio.h>

#include "importer/umem.h"
#include "peer/ioctl.h"

static int on_region(struct umem_region *region, unsigned long request,
		     void *argument)
{
	return peer_ioctl(region->importer->control, request, argument);
}

static bool is_umem(const struct importer *importer)
{
	return importer->backend.capabilities & CAP(IMPORTER_UMEM_STEPS);
}

enum peer_umem_mode umem_mode(const struct importer *importer)
{
	const struct umem_instance *instance = importer->data;

	return is_umem(importer) ? instance->mode->mode : PEER_UMEM_MODE_COUNT;
}

int umem_register(struct importer *importer, int fd,
		  const struct umem_options *options,
		  struct umem_region *region)
{
	const struct umem_instance *instance = importer->data;
	struct peer_umem_register ask = {
		.fd = fd,
		.offset = options->offset,
		.length = options->length,
		.flags = options->flags,
		.error = options->error,
	};
	int ret;

	*region = (struct umem_region){ 0 };
	if (!is_umem(importer))
		return -EOPNOTSUPP;
	ask.mode = instance->mode->mode;
	snprintf(ask.name, sizeof(ask.name), "%s", instance->device);
	if (!*ask.name)
		ask.device = options->device;
	ret = peer_ioctl(importer->control, PEER_UMEM_REGISTER, &ask);
	if (ret)
		return ret;
	*region = (struct umem_region){
		.importer = importer,
		.handle = ask.handle,
		.length = options->length,
		.handed_over = ask.lock,
	};
	return 0;
}

static int with_handle(struct umem_region *region, unsigned long request)
{
	struct peer_handle handle = { .handle = region->handle };

	return on_region(region, request, &handle);
}

int umem_deregister(struct umem_region *region)
{
	return with_handle(region, PEER_UMEM_DEREGISTER);
}

int umem_map(struct umem_region *region, struct peer_umem_map *map)
{
	struct peer_umem_map mine;

	if (!map)
		map = &mine;
	*map = (struct peer_umem_map){ .handle = region->handle };
	return on_region(region, PEER_UMEM_MAP, map);
}

int umem_unmap(struct umem_region *region)
{
	return with_handle(region, PEER_UMEM_UNMAP);
}

int umem_revoke(struct umem_region *region)
{
	return with_handle(region, PEER_UMEM_REVOKE);
}

int umem_table(struct umem_region *region, struct peer_table_entry *entries,
	       unsigned int capacity)
{
	struct peer_table table = {
		.handle = region->handle,
		.capacity = capacity,
		.entries = peer_pointer(entries),
	};
	int ret = on_region(region, PEER_UMEM_TABLE, &table);

	return ret ? ret : (int)table.count;
}

static int transfer(struct umem_region *region, enum peer_engine engine,
		    size_t offset, const void *data, size_t length, bool write)
{
	struct peer_transfer transfer = {
		.handle = region->handle,
		.offset = offset,
		.length = length,
		.data = peer_pointer(data),
		.write = write,
		.engine = engine,
	};

	return on_region(region, PEER_UMEM_TRANSFER, &transfer);
}

int umem_write(struct umem_region *region, size_t offset, const void *data,
	       size_t length)
{
	return transfer(region, PEER_ENGINE_TRANSLATE, offset, data, length,
			true);
}

int umem_read(struct umem_region *region, size_t offset, void *data,
	      size_t length)
{
	return transfer(region, PEER_ENGINE_TRANSLATE, offset, data, length,
			false);
}

int umem_write_slowly(struct umem_region *region, size_t offset,
		      const void *data, size_t length)
{
	return transfer(region, PEER_ENGINE_SLOW, offset, data, length, true);
}

int umem_stat(struct umem_region *region, struct peer_umem_stat *stat)
{
	*stat = (struct peer_umem_stat){ .handle = region->handle };
	return on_region(region, PEER_UMEM_STAT, stat);
}

int umem_events(struct umem_region *region, struct peer_event *events,
		unsigned int capacity)
{
	struct peer_events take = {
		.handle = region->handle,
		.capacity = capacity,
		.entries = peer_pointer(events),
	};
	int ret = on_region(region, PEER_UMEM_EVENTS, &take);

	if (ret)
		return ret;
	return take.lost ? -EOVERFLOW : (int)take.count;
}

int umem_info(struct importer *importer, struct peer_umem_info *info)
{
	*info = (struct peer_umem_info){ 0 };
	if (!is_umem(importer))
		return -EOPNOTSUPP;
	return peer_ioctl(importer->control, PEER_UMEM_INFO, info);
}

// SPDX-License-Identifier: GPL-2.0-only
/* One function per ioctl of the peer importer. */
#include "peer/peer_importer.h"

#include "importer/peer.h"
#include "peer/ioctl.h"

static int on_attachment(struct attachment *attachment, unsigned long request,
			 void *argument)
{
	return peer_ioctl(attachment->importer->control, request, argument);
}

static bool is_peer(const struct importer *importer)
{
	return importer->backend.capabilities & CAP(IMPORTER_PEER);
}

static struct peer_attach ask_attach(const struct importer *importer, int fd,
				     const struct attach_options *options)
{
	const struct peer_importer_mode *mode = importer->data;
	struct peer_attach attach = {
		.fd = fd,
		.mode = mode->mode,
		.flags = mode->flags,
	};

	if (options) {
		attach.device = options->device;
		attach.reaction = options->reaction;
		attach.late_ms = options->late_ms;
	}
	return attach;
}

static struct attachment attached(struct importer *importer,
				  const struct peer_attach *attach)
{
	return (struct attachment){
		.importer = importer,
		.handle = attach->handle,
		.peer2peer = attach->peer2peer,
		.exporter_dynamic = attach->exporter_dynamic,
	};
}

static struct mapping mapped(struct attachment *attachment,
			     const struct peer_map *map)
{
	return (struct mapping){
		.attachment = attachment,
		.map = map->map,
		.direction = map->direction,
		.nents = map->nents,
		.orig_nents = map->orig_nents,
		.same_as = map->same_as,
		.priv_changed = map->priv_changed,
		.length = map->length,
	};
}

int peer_attach(struct importer *importer, int fd,
		const struct attach_options *options,
		struct attachment *attachment)
{
	struct peer_attach attach;
	int ret;

	*attachment = (struct attachment){ 0 };
	if (!is_peer(importer))
		return -EOPNOTSUPP;
	attach = ask_attach(importer, fd, options);
	ret = peer_ioctl(importer->control, PEER_IMPORTER_ATTACH, &attach);
	if (!ret)
		*attachment = attached(importer, &attach);
	return ret;
}

int peer_import(struct importer *importer, int fd,
		const struct attach_options *options,
		const struct import_request *request,
		struct attachment *attachment, struct mapping *mapping)
{
	struct peer_import import = {
		.map.direction = request->direction,
		.pin = request->pin,
		.error = -request->error,
	};
	int ret;

	*attachment = (struct attachment){ 0 };
	*mapping = (struct mapping){ 0 };
	if (!is_peer(importer))
		return -EOPNOTSUPP;
	import.attach = ask_attach(importer, fd, options);
	ret = peer_ioctl(importer->control, PEER_IMPORTER_IMPORT, &import);
	if (ret)
		return ret;
	*attachment = attached(importer, &import.attach);
	*mapping = mapped(attachment, &import.map);
	return 0;
}

static int with_handle(struct attachment *attachment, unsigned long request)
{
	struct peer_handle handle = { .handle = attachment->handle };

	return on_attachment(attachment, request, &handle);
}

int peer_detach(struct attachment *attachment)
{
	return with_handle(attachment, PEER_IMPORTER_DETACH);
}

int peer_pin(struct attachment *attachment)
{
	return with_handle(attachment, PEER_IMPORTER_PIN);
}

int peer_unpin(struct attachment *attachment)
{
	return with_handle(attachment, PEER_IMPORTER_UNPIN);
}

int peer_map(struct attachment *attachment, enum peer_direction direction,
	     struct mapping *mapping)
{
	struct peer_map map = {
		.handle = attachment->handle,
		.direction = direction,
	};
	int ret;

	*mapping = (struct mapping){ 0 };
	ret = on_attachment(attachment, PEER_IMPORTER_MAP, &map);
	if (ret)
		return ret;
	*mapping = mapped(attachment, &map);
	return 0;
}

int peer_unmap(struct mapping *mapping)
{
	struct peer_unmap unmap = {
		.handle = mapping->attachment->handle,
		.map = mapping->map,
	};

	return on_attachment(mapping->attachment, PEER_IMPORTER_UNMAP, &unmap);
}

int peer_table(struct mapping *mapping, struct peer_table_entry *entries,
	       unsigned int capacity)
{
	struct peer_table table = {
		.handle = mapping->attachment->handle,
		.map = mapping->map,
		.capacity = capacity,
		.entries = peer_pointer(entries),
	};
	int ret = on_attachment(mapping->attachment, PEER_IMPORTER_TABLE, &table);

	return ret ? ret : (int)table.count;
}

static int transfer(struct mapping *mapping, enum peer_engine engine,
		    size_t offset, const void *data, size_t length, bool write)
{
	struct peer_transfer transfer = {
		.handle = mapping->attachment->handle,
		.map = mapping->map,
		.offset = offset,
		.length = length,
		.data = peer_pointer(data),
		.write = write,
		.engine = engine,
	};

	return on_attachment(mapping->attachment, PEER_IMPORTER_TRANSFER,
			     &transfer);
}

int peer_write(struct mapping *mapping, enum peer_engine engine,
	       size_t offset, const void *data, size_t length)
{
	return transfer(mapping, engine, offset, data, length, true);
}

int peer_read(struct mapping *mapping, enum peer_engine engine,
	      size_t offset, void *data, size_t length)
{
	return transfer(mapping, engine, offset, data, length, false);
}

int peer_importer_fence(struct attachment *attachment, enum peer_usage usage,
			unsigned int timeout_ms)
{
	struct peer_fence fence = {
		.handle = attachment->handle,
		.usage = usage,
		.timeout_ms = timeout_ms,
	};
	int ret = on_attachment(attachment, PEER_IMPORTER_FENCE, &fence);

	return ret ? ret : (int)fence.fence;
}

int peer_importer_signal(struct attachment *attachment, int fence)
{
	struct peer_fence signal = {
		.handle = attachment->handle,
		.fence = fence,
	};

	return on_attachment(attachment, PEER_IMPORTER_SIGNAL, &signal);
}

int peer_importer_stat(struct attachment *attachment,
		       struct peer_importer_stat *stat)
{
	*stat = (struct peer_importer_stat){ .handle = attachment->handle };
	return on_attachment(attachment, PEER_IMPORTER_STAT, stat);
}

int peer_importer_events(struct attachment *attachment,
			 struct peer_event *events, unsigned int capacity)
{
	struct peer_events take = {
		.handle = attachment->handle,
		.capacity = capacity,
		.entries = peer_pointer(events),
	};
	int ret = on_attachment(attachment, PEER_IMPORTER_EVENTS, &take);

	if (ret)
		return ret;
	return take.lost ? -EOVERFLOW : (int)take.count;
}

int peer_vmap_read(struct attachment *attachment, unsigned int depth,
		   size_t offset, void *data, size_t length)
{
	struct peer_vmap vmap = {
		.handle = attachment->handle,
		.depth = depth,
		.offset = offset,
		.length = length,
		.data = peer_pointer(data),
	};

	return on_attachment(attachment, PEER_IMPORTER_VMAP, &vmap);
}

int peer_vmap_hold(struct attachment *attachment, unsigned int ms)
{
	char byte;
	struct peer_vmap vmap = {
		.handle = attachment->handle,
		.depth = 1,
		.length = sizeof(byte),
		.data = peer_pointer(&byte),
		.hold_ms = ms,
	};

	return on_attachment(attachment, PEER_IMPORTER_VMAP, &vmap);
}

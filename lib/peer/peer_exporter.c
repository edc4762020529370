// SPDX-License-Identifier: GPL-2.0-only
/* One function per ioctl of the peer exporter. */
#include "peer/peer_exporter.h"

#include "peer/ioctl.h"

/* An ioctl that works on a buffer of the peer, and on no other. */
static int on_buffer(struct buffer *buffer, unsigned long request, void *argument)
{
	struct exporter *exporter = buffer->exporter;

	if (!(exporter->backend.capabilities & CAP(EXPORTER_PEER)))
		return -EOPNOTSUPP;
	return peer_ioctl(exporter->control, request, argument);
}

int peer_exporter_stat(struct buffer *buffer, struct peer_exporter_stat *stat)
{
	*stat = (struct peer_exporter_stat){ .handle = buffer->handle };
	return on_buffer(buffer, PEER_EXPORTER_STAT, stat);
}

int peer_exporter_events(struct buffer *buffer, struct peer_event *events,
			 unsigned int capacity)
{
	struct peer_events take = {
		.handle = buffer->handle,
		.capacity = capacity,
		.entries = peer_pointer(events),
	};
	int ret = on_buffer(buffer, PEER_EXPORTER_EVENTS, &take);

	if (ret)
		return ret;
	return take.lost ? -EOVERFLOW : (int)take.count;
}

int peer_exporter_fail(struct buffer *buffer, enum peer_failure what,
		       unsigned int after, unsigned int count, int error)
{
	struct peer_fail fail = {
		.handle = buffer->handle,
		.what = what,
		.after = after,
		.count = count,
		.error = error,
	};

	return on_buffer(buffer, PEER_EXPORTER_FAIL, &fail);
}

int peer_exporter_move(struct buffer *buffer, enum peer_placement placement,
		       unsigned int flags, unsigned int fence_ms)
{
	struct peer_move move = {
		.handle = buffer->handle,
		.placement = placement,
		.flags = flags,
		.fence_ms = fence_ms,
	};

	return on_buffer(buffer, PEER_EXPORTER_MOVE, &move);
}

int peer_exporter_notify(struct buffer *buffer, unsigned int count)
{
	struct peer_notify notify = { .handle = buffer->handle, .count = count };

	return on_buffer(buffer, PEER_EXPORTER_NOTIFY, &notify);
}

int peer_exporter_storm(struct buffer *buffer, bool on)
{
	struct peer_storm storm = { .handle = buffer->handle, .on = on };

	return on_buffer(buffer, PEER_EXPORTER_STORM, &storm);
}

int peer_exporter_walk(struct buffer *buffer, unsigned int rounds,
		       struct peer_walk *walk)
{
	*walk = (struct peer_walk){ .handle = buffer->handle, .rounds = rounds };
	return on_buffer(buffer, PEER_EXPORTER_WALK, walk);
}

int peer_exporter_fence(struct buffer *buffer, enum peer_usage usage,
			unsigned int timeout_ms)
{
	struct peer_fence fence = {
		.handle = buffer->handle,
		.usage = usage,
		.timeout_ms = timeout_ms,
	};
	int ret = on_buffer(buffer, PEER_EXPORTER_FENCE, &fence);

	return ret ? ret : (int)fence.fence;
}

int peer_exporter_signal(struct buffer *buffer, int fence)
{
	struct peer_fence signal = { .handle = buffer->handle, .fence = fence };

	return on_buffer(buffer, PEER_EXPORTER_SIGNAL, &signal);
}

int peer_exporter_storage(struct buffer *buffer, enum peer_placement placement,
			  size_t offset, void *data, size_t length, bool write)
{
	struct peer_storage storage = {
		.handle = buffer->handle,
		.placement = placement,
		.offset = offset,
		.length = length,
		.data = peer_pointer(data),
		.write = write,
	};

	return on_buffer(buffer, PEER_EXPORTER_STORAGE, &storage);
}

int peer_exporter_bad(struct exporter *exporter, enum peer_bad what)
{
	struct peer_bad_export bad = { .what = what };

	if (!(exporter->backend.capabilities & CAP(EXPORTER_PEER)))
		return -EOPNOTSUPP;
	return peer_ioctl(exporter->control, PEER_EXPORTER_BAD, &bad);
}

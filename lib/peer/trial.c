// SPDX-License-Identifier: GPL-2.0-only
/* Tries drivers out with the peers. */
#include "peer/trial.h"

#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

#include "peer/ioctl.h"

#define TRIAL_SIZE	(4 * 4096)

/* The open node, or -1. */
static int open_peer_node(const char *node)
{
	struct peer_version version = { .version = PEER_UAPI_VERSION };
	int fd = open(node, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return -1;
	if (!peer_ioctl(fd, PEER_IOC_VERSION, &version) &&
	    version.version == PEER_UAPI_VERSION)
		return fd;
	close(fd);
	return -1;
}

int trial_map(int fd)
{
	struct peer_attach attach = { .fd = fd, .mode = PEER_MODE_STATIC };
	struct peer_map map = { .direction = PEER_BIDIRECTIONAL };
	int importer = open_peer_node(PEER_IMPORTER_NODE);
	int ret;

	if (importer < 0)
		return TRIAL_NO_PEER;
	ret = peer_ioctl(importer, PEER_IMPORTER_ATTACH, &attach);
	map.handle = attach.handle;
	if (!ret)
		ret = peer_ioctl(importer, PEER_IMPORTER_MAP, &map);
	close(importer);	/* unmaps and detaches */
	return ret;
}

int trial_buffer_make(struct trial_buffer *buffer)
{
	struct peer_buffer_create create = {
		.size = TRIAL_SIZE,
		.policy = PEER_POLICY_STATIC,
	};
	int ret;

	buffer->control = open_peer_node(PEER_EXPORTER_NODE);
	if (buffer->control < 0)
		return TRIAL_NO_PEER;
	ret = peer_ioctl(buffer->control, PEER_EXPORTER_CREATE, &create);
	if (ret) {
		close(buffer->control);
		return ret;
	}
	buffer->fd = create.fd;
	buffer->handle = create.handle;
	return 0;
}

int trial_buffer_stat(const struct trial_buffer *buffer,
		      struct peer_exporter_stat *stat)
{
	*stat = (struct peer_exporter_stat){ .handle = buffer->handle };
	return peer_ioctl(buffer->control, PEER_EXPORTER_STAT, stat);
}

bool trial_buffer_attached(const struct trial_buffer *buffer,
			   struct peer_event *attach)
{
	struct peer_event events[32];
	struct peer_events take = {
		.handle = buffer->handle,
		.capacity = sizeof(events) / sizeof(events[0]),
		.entries = peer_pointer(events),
	};

	if (peer_ioctl(buffer->control, PEER_EXPORTER_EVENTS, &take))
		return false;
	for (unsigned int i = 0; i < take.count; i++) {
		if (events[i].call != PEER_CALL_ATTACH)
			continue;
		*attach = events[i];
		return true;
	}
	return false;
}

void trial_buffer_drop(struct trial_buffer *buffer)
{
	close(buffer->fd);
	close(buffer->control);
}

int trial_device(int importer, struct peer_importer_stat *stat)
{
	struct peer_attach attach = { .mode = PEER_MODE_STATIC };
	struct peer_handle detach = { 0 };
	struct trial_buffer buffer;
	int ret = trial_buffer_make(&buffer);

	if (ret)
		return ret;
	attach.fd = buffer.fd;
	ret = peer_ioctl(importer, PEER_IMPORTER_ATTACH, &attach);
	if (ret)
		goto drop_buffer;
	*stat = (struct peer_importer_stat){ .handle = attach.handle };
	ret = peer_ioctl(importer, PEER_IMPORTER_STAT, stat);
	detach.handle = attach.handle;
	peer_ioctl(importer, PEER_IMPORTER_DETACH, &detach);
drop_buffer:
	trial_buffer_drop(&buffer);
	return ret;
}

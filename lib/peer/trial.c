// SPDX-License-Identifier: GPL-2.0-only
/* Tries drivers out with the peers. */
#include "peer/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

#include "pair/errno_text.h"
#include "peer/ioctl.h"

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

static int try_to_map(struct peer_attach attach)
{
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

int trial_map(int fd)
{
	return try_to_map((struct peer_attach){
		.fd = fd, .mode = PEER_MODE_STATIC,
	});
}

/*
 * EINVAL is how the kernel says that a bridge between the devices does not pass
 * it on, which is no fault of the driver's.
 */
static void learn_whether_mapped(struct backend *backend, int fd)
{
	int ret = try_to_map((struct peer_attach){
		.fd = fd, .mode = PEER_MODE_NOTIFY, .flags = PEER_ATTACH_P2P,
	});

	if (ret == TRIAL_NO_PEER)
		backend_note(backend, "whether it can be mapped is unknown without the peer importer");
	else if (ret == -EINVAL)
		backend_note(backend, "out of reach of the peer importer's device: the bridge between them is not trusted with peer to peer");
	else if (ret < 0)
		backend_note(backend, "a trial to map it failed: %s", errno_text(ret));
	if (ret != TRIAL_NO_PEER && ret != -EINVAL)
		backend->capabilities |= CAP(EXPORTER_MAPS);
}

int trial_learn_p2p(struct exporter *exporter, const char *memory)
{
	const struct buffer_spec spec = { .size = TRIAL_SIZE };
	struct buffer buffer;
	int ret = exporter_alloc(exporter, &spec, &buffer);

	if (ret) {
		backend_reason(&exporter->backend, "cannot export %s: %s",
			       memory, errno_text(ret));
		return ret;
	}
	learn_whether_mapped(&exporter->backend, buffer.fd);
	exporter_release(&buffer);
	return 0;
}

int trial_buffer_make(enum peer_policy policy, unsigned int flags,
		      struct trial_buffer *buffer)
{
	struct peer_buffer_create create = {
		.size = TRIAL_SIZE,
		.policy = policy,
		.flags = flags,
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

/* With which rights the importer attached. */
static capability_set attached_with(unsigned int flags)
{
	capability_set found = CAP(IMPORTER_ATTACHES);

	if (flags & PEER_EVENT_P2P)
		found |= CAP(IMPORTER_P2P);
	if (!(flags & PEER_EVENT_DYNAMIC))
		return found | CAP(IMPORTER_STATIC);
	found |= CAP(IMPORTER_DYNAMIC);
	return found | (flags & PEER_EVENT_NOTIFIABLE ? CAP(IMPORTER_NOTIFIED) :
						        CAP(IMPORTER_SILENT));
}

/* What one successful call shows. The core pins for some importers. */
static capability_set shown_by(const struct peer_event *event)
{
	switch (event->call) {
	case PEER_CALL_ATTACH:
		return attached_with(event->flags);
	case PEER_CALL_MAP:
		return CAP(IMPORTER_MAPS);
	case PEER_CALL_PIN:
		return event->flags & PEER_EVENT_IMPLICIT ? 0 : CAP(IMPORTER_PINNED);
	default:
		return 0;
	}
}

capability_set trial_buffer_claims(const struct trial_buffer *buffer)
{
	struct peer_event events[32];
	struct peer_events take = {
		.handle = buffer->handle,
		.capacity = sizeof(events) / sizeof(events[0]),
		.entries = peer_pointer(events),
	};
	capability_set claims = 0;

	if (peer_ioctl(buffer->control, PEER_EXPORTER_EVENTS, &take))
		return 0;
	for (unsigned int i = 0; i < take.count; i++)
		if (!events[i].result)
			claims |= shown_by(&events[i]);
	return claims;
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
	int ret = trial_buffer_make(PEER_POLICY_STATIC, 0, &buffer);

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

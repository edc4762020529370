// SPDX-License-Identifier: GPL-2.0-only
/*
 * The suite's instrumented importer. An instance is a mode: static, dynamic
 * with notify, the same with peer-to-peer, dynamic without notify. Here it
 * imports in one step, as a driver would; peer/peer_importer.h has the single
 * steps.
 */
#include "importer/peer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clause/law.h"
#include "importer/importer.h"
#include "peer/hold.h"
#include "peer/peer_open.h"
#include "peer/trial.h"

#define MODULE		"dmabuf_peer_importer"
#define REMAPS_MAX	100

#define EVERY_MODE	(CAP(IMPORTER_PEER) | CAP(IMPORTER_ATTACHES) |	\
			 CAP(IMPORTER_MAPS) | CAP(IMPORTER_MOVES_BYTES) |	\
			 CAP(IMPORTER_SLOW))
#define NOTIFIED	(CAP(IMPORTER_DYNAMIC) | CAP(IMPORTER_NOTIFIED))

/* The first one is the default. */
static const struct peer_importer_mode modes[] = {
	{ "notify", PEER_MODE_NOTIFY, 0, EVERY_MODE | NOTIFIED },
	{ "static", PEER_MODE_STATIC, 0, EVERY_MODE | CAP(IMPORTER_STATIC) },
	{ "notify-p2p", PEER_MODE_NOTIFY, PEER_ATTACH_P2P,
	  EVERY_MODE | NOTIFIED | CAP(IMPORTER_P2P) },
	/*
	 * A core that demands notify refuses this one at attach. It is there
	 * all the same: the refusal is a clause.
	 */
	{ "silent", PEER_MODE_SILENT, 0,
	  EVERY_MODE | CAP(IMPORTER_DYNAMIC) | CAP(IMPORTER_SILENT) },
};

#define MODE_COUNT	(sizeof(modes) / sizeof(modes[0]))

static const struct peer_importer_mode *find(const char *instance)
{
	if (!instance)
		return &modes[0];
	for (size_t i = 0; i < MODE_COUNT; i++)
		if (!strcmp(modes[i].instance, instance))
			return &modes[i];
	return NULL;
}

/* Which device attaches, and whether it moves bytes by itself. */
static void learn_device(struct importer *importer)
{
	struct backend *backend = &importer->backend;
	struct peer_importer_stat stat;

	if (trial_device(importer->control, &stat)) {
		backend_note(backend, "no buffer to learn its device from: engine unknown");
		return;
	}
	snprintf(backend->device, sizeof(backend->device), "%.*s",
		 (int)sizeof(stat.device), stat.device);
	if (stat.has_engine)
		backend->capabilities |= CAP(IMPORTER_ENGINE);
}

/*
 * Where the core demands a callback, the mode without one never gets past
 * attach: all that is left of it is that refusal, which is a clause.
 */
static void limit_silent_mode(struct backend *backend)
{
	if (!(backend->capabilities & CAP(IMPORTER_SILENT)) ||
	    law_value(LAW_NOTIFY_OPTIONAL) != NO)
		return;
	backend->capabilities = NEEDS(IMPORTER_PEER, IMPORTER_SILENT);
	backend_note(backend, "this kernel refuses importers without a callback");
}

static int learn(struct importer *importer)
{
	learn_device(importer);
	limit_silent_mode(&importer->backend);
	return 0;
}

static int open_peer(struct importer *importer, const char *instance)
{
	const struct peer_importer_mode *mode = find(instance);
	int fd;

	if (!mode) {
		backend_reason(&importer->backend, "the peer importer has no mode \"%s\": notify, static, notify-p2p or silent",
			       instance);
		return -EINVAL;
	}
	backend_start(&importer->backend, "peer", mode->instance);
	fd = peer_open(&importer->backend, PEER_IMPORTER_NODE, MODULE);
	if (fd < 0)
		return fd;
	importer->control = fd;
	importer->data = (void *)mode;
	importer->backend.capabilities = mode->capabilities;
	return 0;
}

static void discover(backend_report report, void *context)
{
	for (size_t i = 0; i < MODE_COUNT; i++)
		importer_report("peer", modes[i].instance, report, context);
}

static enum peer_direction to_direction(unsigned int access)
{
	access &= IMPORT_READ | IMPORT_WRITE;
	if (access == IMPORT_READ)
		return PEER_TO_DEVICE;
	return access == IMPORT_WRITE ? PEER_FROM_DEVICE : PEER_BIDIRECTIONAL;
}

static int take(struct importer *importer, int fd, unsigned int access,
		struct hold *hold)
{
	enum peer_direction direction = to_direction(access);
	int ret = -EOPNOTSUPP;

	if (access & IMPORT_PIN)
		ret = hold_take_pinned(importer, fd, NULL, direction, hold);
	/* A wish: where the exporter refuses pins, do without if possible. */
	if (ret == -EOPNOTSUPP)
		ret = hold_take(importer, fd, NULL, direction, hold);
	return ret;
}

static int import_buffer(struct importer *importer, int fd, size_t offset,
			 size_t length, unsigned int access,
			 struct import *import)
{
	struct hold *hold = calloc(1, sizeof(*hold));
	int ret;

	if (!hold)
		return -ENOMEM;
	ret = take(importer, fd, access, hold);
	if (ret)
		goto free_hold;
	if (offset > hold->mapping.length ||
	    length > hold->mapping.length - offset) {
		ret = -EINVAL;
		goto drop_hold;
	}
	import->handle = hold->attachment.handle;
	import->map = hold->mapping.map;
	import->data = hold;
	return 0;
drop_hold:
	hold_drop(hold);
free_hold:
	free(hold);
	return ret;
}

/* One of @in (write) and @out (read) is set. */
static int transfer_part(struct hold *hold, size_t offset, const char *in,
			 char *out, size_t length)
{
	if (in)
		return peer_write(&hold->mapping, PEER_ENGINE_TRANSLATE,
				  offset, in, length);
	return peer_read(&hold->mapping, PEER_ENGINE_TRANSLATE, offset, out,
			 length);
}

/*
 * A mapping that a notify took away is no longer known. A driver maps again
 * then; the next notify may come before it uses that, so try more than once.
 */
static int transfer_mapped(struct hold *hold, size_t offset, const char *in,
			   char *out, size_t length)
{
	int ret = transfer_part(hold, offset, in, out, length);
	struct mapping again;

	for (int i = 0; i < REMAPS_MAX && ret == -ENOENT; i++) {
		ret = peer_map(&hold->attachment, hold->direction, &again);
		if (ret)
			break;
		hold->mapping = again;
		ret = transfer_part(hold, offset, in, out, length);
	}
	return ret;
}

static int transfer(struct import *import, size_t offset, const char *in,
		    char *out, size_t length)
{
	struct hold *hold = import->data;
	size_t part;
	int ret = 0;

	offset += import->offset;
	for (size_t done = 0; !ret && done < length; done += part) {
		part = length - done;
		if (part > PEER_TRANSFER_MAX)
			part = PEER_TRANSFER_MAX;
		ret = transfer_mapped(hold, offset + done, in ? in + done : NULL,
				      out ? out + done : NULL, part);
	}
	return ret;
}

static int write_bytes(struct import *import, size_t offset, const void *data,
		       size_t length)
{
	return transfer(import, offset, data, NULL, length);
}

static int read_bytes(struct import *import, size_t offset, void *data,
		      size_t length)
{
	return transfer(import, offset, NULL, data, length);
}

static int write_slowly(struct import *import, size_t offset, const void *data,
			size_t length)
{
	struct hold *hold = import->data;

	return peer_write(&hold->mapping, PEER_ENGINE_SLOW,
			  import->offset + offset, data, length);
}

static int release(struct import *import)
{
	int ret = hold_drop(import->data);

	free(import->data);
	import->data = NULL;
	return ret;
}

const struct importer_ops peer_importer_ops = {
	.name = "peer",
	.discover = discover,
	.open = open_peer,
	.learn = learn,
	.import = import_buffer,
	.write = write_bytes,
	.read = read_bytes,
	.write_slowly = write_slowly,
	.release = release,
};

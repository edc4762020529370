// SPDX-License-Identifier: GPL-2.0-only
/*
 * DRM drivers as importers through PRIME. A DRM file remembers which handle
 * a dma-buf has: importing it again attaches nothing. So every import opens
 * the node anew.
 */
#include "importer/importer.h"

#include <errno.h>
#include <libdrm/drm.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exporter/exporter.h"
#include "pair/drm.h"
#include "pair/errno_text.h"
#include "peer/trial.h"

static int import_buffer(struct importer *importer, int fd, size_t offset,
			 size_t length, unsigned int access,
			 struct import *import)
{
	const struct drm_node *node = importer->data;
	int card, ret;

	(void)offset;		/* PRIME knows whole buffers only, and no */
	(void)length;		/* direction */
	(void)access;
	card = drm_open_node(node->path);
	if (card < 0)
		return card;
	ret = drm_import(card, fd, &import->handle);
	if (ret) {
		close(card);
		return ret;
	}
	import->data = (void *)(intptr_t)card;
	return 0;
}

static int release(struct import *import)
{
	int card = (intptr_t)import->data;
	int ret = drm_close_handle(card, import->handle);

	close(card);
	return ret;
}

/* What a driver without PRIME import, or without foreign memory, answers. */
static bool never_imports(int error)
{
	return error == -ENODEV || error == -ENOSYS || error == -EINVAL ||
	       error == -EOPNOTSUPP;
}

/*
 * Imports a static buffer of the peer exporter, which counts what is done to
 * it. Memory like that suits every importer that takes foreign memory at all.
 */
static int learn_from_peer(struct importer *importer)
{
	struct backend *backend = &importer->backend;
	struct trial_buffer buffer;
	capability_set claims;
	uint32_t handle;
	int ret = trial_buffer_make(PEER_POLICY_STATIC, 0, &buffer);

	if (ret)
		return ret;
	ret = drm_import(importer->control, buffer.fd, &handle);
	if (ret)
		goto drop_buffer;
	claims = trial_buffer_claims(&buffer);
	drm_close_handle(importer->control, handle);
	backend->capabilities |= claims;
	if (!(claims & CAP(IMPORTER_MAPS)))
		backend_note(backend, "only attaches on this kernel: an import maps nothing");
drop_buffer:
	trial_buffer_drop(&buffer);
	return ret;
}

/*
 * Without the peer exporter a buffer of another driver shows at least whether
 * the import is refused. A buffer of the device's own would come back as the
 * object that it is, so it shows nothing.
 */
static int import_any(struct importer *importer)
{
	static const char *const selectors[] = {
		"heap:system", "udmabuf", "drm:vgem", "drm:virtio_gpu",
	};
	const struct buffer_spec spec = { .size = 4 * 4096 };
	struct exporter exporter;
	struct buffer buffer;
	uint32_t handle;
	int ret = 0;

	for (size_t i = 0; i < sizeof(selectors) / sizeof(selectors[0]); i++) {
		if (!strcmp(selectors[i], importer->backend.selector) ||
		    exporter_open(selectors[i], &exporter))
			continue;
		if (exporter_alloc(&exporter, &spec, &buffer)) {
			exporter_close(&exporter);
			continue;
		}
		ret = drm_import(importer->control, buffer.fd, &handle);
		if (!ret)
			drm_close_handle(importer->control, handle);
		exporter_release(&buffer);
		exporter_close(&exporter);
		return ret;
	}
	return 0;
}

static int learn_without_peer(struct importer *importer)
{
	int ret = import_any(importer);

	if (ret)
		return ret;
	importer->backend.capabilities |= CAP(IMPORTER_ATTACHES);
	backend_note(&importer->backend, "whether it maps is unknown without the peer exporter");
	return 0;
}

static int learn(struct importer *importer)
{
	struct backend *backend = &importer->backend;
	uint64_t prime = drm_capability(importer->control, DRM_CAP_PRIME);
	int ret;

	if (!(prime & DRM_PRIME_CAP_IMPORT)) {
		backend_reason(backend, "driver %s has no PRIME import",
			       backend->driver);
		return -ENODEV;
	}
	ret = learn_from_peer(importer);
	if (ret == TRIAL_NO_PEER)
		ret = learn_without_peer(importer);
	if (never_imports(ret)) {
		backend_reason(backend, "driver %s takes no memory of others: import gives %s",
			       backend->driver, errno_text(ret));
		return -ENODEV;
	} else if (ret) {
		/* Not excused: what it claims to do, the tests shall judge. */
		backend->capabilities |= NEEDS(IMPORTER_ATTACHES, IMPORTER_MAPS);
		backend_note(backend, "a trial import failed: %s", errno_text(ret));
	}
	backend->capabilities |= CAP(IMPORTER_HANDLES);
	if (drm_shows_reservation(backend->driver))
		backend->capabilities |= CAP(IMPORTER_SHOWS_RESV);
	return 0;
}

static int open_card(struct importer *importer, const char *instance)
{
	struct drm_node *node = malloc(sizeof(*node));
	int fd, ret;

	if (!node)
		return -ENOMEM;
	fd = drm_pick(&importer->backend, instance, node);
	if (fd < 0) {
		ret = fd;
		goto free_node;
	}
	importer->control = fd;
	importer->data = node;
	backend_note(&importer->backend, "%s, device %s", node->path, node->device);
	return 0;
free_node:
	free(node);
	return ret;
}

static void close_card(struct importer *importer)
{
	free(importer->data);
}

static void discover(backend_report report, void *context)
{
	char instances[DRM_NODES_MAX + 1][64];
	int count = drm_instances(instances);

	for (int i = 0; i < count; i++)
		importer_report("drm", instances[i], report, context);
}

const struct importer_ops drm_importer_ops = {
	.name = "drm",
	.discover = discover,
	.prepare = drm_prepare,
	.open = open_card,
	.learn = learn,
	.close = close_card,
	.import = import_buffer,
	.release = release,
};

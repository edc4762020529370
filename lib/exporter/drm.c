// SPDX-License-Identifier: GPL-2.0-only
/*
 * DRM drivers as exporters: a dumb buffer handed out through PRIME. Every
 * card node is an instance.
 */
#include "exporter/exporter.h"

#include <errno.h>
#include <fcntl.h>
#include <libdrm/drm.h>
#include <string.h>
#include <unistd.h>

#include "exporter/drm_move.h"
#include "pair/drm.h"
#include "pair/errno_text.h"
#include "pair/read_only.h"
#include "peer/trial.h"

static int export_handle(int card, uint32_t handle, unsigned int flags)
{
	struct drm_prime_handle prime = { .handle = handle, .fd = -1 };
	int ret;

	if (!(flags & BUFFER_READ_ONLY))
		prime.flags |= DRM_RDWR;
	if (!(flags & BUFFER_NO_CLOEXEC))
		prime.flags |= DRM_CLOEXEC;
	ret = drm_call(card, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime);
	return ret ? ret : prime.fd;
}

static int alloc(struct exporter *exporter, const struct buffer_spec *spec,
		 struct buffer *buffer)
{
	struct drm_mode_create_dumb dumb;
	int ret;

	if (!spec_is_plain(spec, BUFFER_READ_ONLY | BUFFER_NO_CLOEXEC))
		return -EOPNOTSUPP;
	ret = drm_create_dumb(exporter->control, spec->size, &dumb);
	if (ret)
		return ret;
	ret = export_handle(exporter->control, dumb.handle, spec->flags);
	if (ret < 0) {
		drm_destroy_dumb(exporter->control, dumb.handle);
		return ret;
	}
	buffer->fd = ret;
	buffer->handle = dumb.handle;
	buffer->size = dumb.size;
	return 0;
}

/* It is the export that is judged here, not the call that makes the object. */
static int alloc_unanswered(struct exporter *exporter, size_t size)
{
	struct drm_prime_handle prime = { .flags = DRM_CLOEXEC, .fd = -1 };
	struct drm_mode_create_dumb dumb;
	int ret = drm_create_dumb(exporter->control, size, &dumb);

	if (ret)
		return ret;
	prime.handle = dumb.handle;
	ret = read_only_ioctl(exporter->control, DRM_IOCTL_PRIME_HANDLE_TO_FD,
			      &prime, sizeof(prime));
	drm_destroy_dumb(exporter->control, dumb.handle);
	return ret;
}

static void release(struct buffer *buffer)
{
	drm_destroy_dumb(buffer->exporter->control, buffer->handle);
}

/*
 * Whether attachments can be mapped. ENOSYS is how the DRM core says that a
 * driver supplies no table: such a driver never claimed to be mapped. Any
 * other failure is not excused here: the tests shall find it.
 */
static bool maps(struct backend *backend, int fd)
{
	int ret = trial_map(fd);

	if (ret == TRIAL_NO_PEER)
		backend_note(backend, "whether it can be mapped is unknown without the peer importer");
	else if (ret == -ENOSYS)
		backend_note(backend, "it can be attached to at most, not mapped: the driver has no table (ENOSYS)");
	else if (ret < 0)
		backend_note(backend, "a trial to map it failed: %s", errno_text(ret));
	return ret != TRIAL_NO_PEER && ret != -ENOSYS;
}

/* Exports one page and looks what can be done with it. */
static int learn(struct exporter *exporter)
{
	struct buffer_spec spec = { .size = DRM_DUMB_STEP };
	struct backend *backend = &exporter->backend;
	struct buffer buffer = { .exporter = exporter };
	int ret;

	ret = alloc(exporter, &spec, &buffer);
	if (ret) {
		backend_reason(backend, "driver %s cannot make and export a dumb buffer: %s",
			       backend->driver, errno_text(ret));
		return -ENODEV;
	}
	backend->capabilities = NEEDS(EXPORTER_MMAPS, EXPORTER_FILLS,
				      EXPORTER_TAKES_CLOEXEC, EXPORTER_DRM);
	/* What exports plainly has pages; where else memory comes from, nobody tells. */
	backend->capabilities |= drm_exports_plainly(backend->driver) ?
				 CAP(EXPORTER_PRIME_PLAIN) :
				 CAP(EXPORTER_DEVICE_MEMORY);
	/* First: it may be that a map moves it. */
	drm_move_learn(exporter, &buffer);
	if (maps(backend, buffer.fd))
		backend->capabilities |= CAP(EXPORTER_MAPS);
	close(buffer.fd);
	release(&buffer);
	return 0;
}

static int open_card(struct exporter *exporter, const char *instance)
{
	struct drm_node node;
	int fd = drm_pick(&exporter->backend, instance, &node);

	if (fd < 0)
		return fd;
	exporter->control = fd;
	backend_note(&exporter->backend, "%s, device %s", node.path, node.device);
	return 0;
}

static void discover(backend_report report, void *context)
{
	char instances[DRM_NODES_MAX + 1][64];
	int count = drm_instances(instances);

	for (int i = 0; i < count; i++)
		exporter_report("drm", instances[i], report, context);
}

const struct exporter_ops drm_exporter_ops = {
	.name = "drm",
	.discover = discover,
	.prepare = drm_prepare,
	.open = open_card,
	.learn = learn,
	.alloc = alloc,
	.alloc_unanswered = alloc_unanswered,
	.move = drm_move,
	.placement = drm_placement,
	.release = release,
};

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The suite's own importer through RDMA core: what a NIC's driver does to
 * register a dma-buf, without a NIC. An instance is a mode: pinned, revocable,
 * dynamic; "dynamic@efa_0" registers for an RDMA device that is there, all
 * others for one of the suite's own. Here it imports in one step;
 * peer/peer_umem.h has the single ones.
 */
#include "importer/umem.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clause/law.h"
#include "importer/importer.h"
#include "pair/kernel.h"
#include "peer/ioctl.h"
#include "peer/peer_open.h"
#include "peer/peer_umem.h"
#include "peer/trial.h"

#define MODULE		"dmabuf_peer_umem"
#define OPTION		"CONFIG_INFINIBAND_USER_MEM"
#define REMAPS_MAX	100

#define EVERY_MODE	(CAP(IMPORTER_UMEM) | CAP(IMPORTER_UMEM_STEPS) |  \
			 CAP(IMPORTER_ATTACHES) | CAP(IMPORTER_MAPS) |	  \
			 CAP(IMPORTER_MOVES_BYTES) | CAP(IMPORTER_P2P) |  \
			 CAP(IMPORTER_DYNAMIC) | CAP(IMPORTER_SLOW))

/* The first one is the default. */
static const struct umem_mode modes[] = {
	{ "dynamic", PEER_UMEM_DYNAMIC, 0, EVERY_MODE | CAP(IMPORTER_NOTIFIED) },
	/* Where a callback is mandatory it has one, which says it was ignored. */
	{ "pinned", PEER_UMEM_PINNED, 0, EVERY_MODE | CAP(IMPORTER_PINNED) },
	{ "revocable", PEER_UMEM_REVOCABLE, PEER_UMEM_HAS_REVOCABLE,
	  EVERY_MODE | CAP(IMPORTER_PINNED) | CAP(IMPORTER_NOTIFIED) },
};

#define MODE_COUNT	(sizeof(modes) / sizeof(modes[0]))

static const struct umem_mode *find(const char *name, size_t length)
{
	for (size_t i = 0; i < MODE_COUNT; i++)
		if (strlen(modes[i].name) == length &&
		    !strncmp(modes[i].name, name, length))
			return &modes[i];
	return NULL;
}

/* "revocable@efa_0" */
static int parse(const char *name, struct umem_instance *instance)
{
	size_t length = strcspn(name, "@");
	const char *device = name[length] ? name + length + 1 : "";

	instance->mode = find(name, length);
	if (!instance->mode || (name[length] && !*device) ||
	    strlen(device) >= sizeof(instance->device))
		return -EINVAL;
	strcpy(instance->device, device);
	return 0;
}

/* Which device attaches; a registration on trial tells. */
static int learn_device(struct importer *importer)
{
	const struct umem_instance *instance = importer->data;
	const struct umem_options options = { .length = TRIAL_SIZE };
	struct backend *backend = &importer->backend;
	struct trial_buffer buffer;
	struct umem_region region;
	struct peer_umem_stat stat;
	int ret;

	if (trial_buffer_make(PEER_POLICY_STATIC, 0, &buffer)) {
		backend_note(backend, "no buffer to learn its device from");
		return 0;
	}
	ret = umem_register(importer, buffer.fd, &options, &region);
	if (ret == -ENODEV)
		backend_reason(backend, "there is no RDMA device \"%s\"",
			       instance->device);
	if (ret)
		goto drop_buffer;
	if (!umem_stat(&region, &stat))
		snprintf(backend->device, sizeof(backend->device), "%.*s",
			 (int)sizeof(stat.device), stat.device);
	umem_deregister(&region);
drop_buffer:
	trial_buffer_drop(&buffer);
	/* What else goes wrong the tests shall see. */
	return ret == -ENODEV ? ret : 0;
}

/* Whether RDMA core has this mode on this kernel. */
static int check_mode(struct importer *importer, const struct umem_mode *mode)
{
	struct peer_umem_info info = { 0 };
	int ret = peer_ioctl(importer->control, PEER_UMEM_INFO, &info);

	if (ret)
		return ret;
	if (!(mode->features & ~info.features))
		return 0;
	backend_reason(&importer->backend, "RDMA core of kernel %s has no ib_umem_dmabuf_get_pinned_revocable_and_lock()",
		       kernel_release());
	return -ENODEV;
}

static int open_module(struct importer *importer)
{
	struct backend *backend = &importer->backend;
	int fd = peer_open(backend, PEER_UMEM_NODE, MODULE);

	if (fd == -ENODEV && kernel_config(OPTION) == CONFIG_OFF)
		backend_reason(backend, "kernel %s was built without %s",
			       kernel_release(), OPTION);
	return fd;
}

static int set_up(struct importer *importer, struct umem_instance *instance)
{
	struct backend *backend = &importer->backend;
	int ret;

	importer->control = open_module(importer);
	if (importer->control < 0)
		return importer->control;
	ret = check_mode(importer, instance->mode);
	if (ret)
		return ret;
	importer->data = instance;
	backend->capabilities = instance->mode->capabilities;
	if (instance->mode->mode == PEER_UMEM_PINNED &&
	    law_value(LAW_NOTIFY_OPTIONAL) == YES)
		backend->capabilities |= CAP(IMPORTER_SILENT);
	backend_note(backend, "the suite's own importer through RDMA core, no NIC's driver");
	return 0;
}

static int open_umem(struct importer *importer, const char *name)
{
	struct umem_instance *instance = calloc(1, sizeof(*instance));
	char full[PEER_UMEM_NAME_SIZE + 16];
	int ret;

	if (!instance)
		return -ENOMEM;
	if (!name)
		name = modes[0].name;
	ret = parse(name, instance);
	if (ret) {
		backend_reason(&importer->backend, "the importer through RDMA core has no mode \"%s\": dynamic, pinned or revocable, and after \"@\" the name of an RDMA device",
			       name);
		goto free_instance;
	}
	snprintf(full, sizeof(full), "%s", name);
	backend_start(&importer->backend, "umem", full);
	ret = set_up(importer, instance);
	if (!ret)
		return 0;
free_instance:
	free(instance);
	importer->data = NULL;
	return ret;
}

static void close_umem(struct importer *importer)
{
	free(importer->data);
	importer->data = NULL;
}

static void discover(backend_report report, void *context)
{
	for (size_t i = 0; i < MODE_COUNT; i++)
		importer_report("umem", modes[i].name, report, context);
}

static int import_buffer(struct importer *importer, int fd, size_t offset,
			 size_t length, unsigned int access,
			 struct import *import)
{
	const struct umem_options options = {
		.offset = offset,
		.length = length,
		.flags = access & IMPORT_WRITE ? 0 : PEER_UMEM_READ_ONLY,
	};
	struct umem_region *region = calloc(1, sizeof(*region));
	int ret;

	if (!region)
		return -ENOMEM;
	ret = umem_register(importer, fd, &options, region);
	if (ret) {
		free(region);
		return ret;
	}
	import->handle = region->handle;
	import->data = region;
	return 0;
}

/* One of @in (write) and @out (read) is set. */
static int transfer_part(struct umem_region *region, size_t offset,
			 const char *in, char *out, size_t length)
{
	return in ? umem_write(region, offset, in, length) :
		    umem_read(region, offset, out, length);
}

/*
 * A NIC that faults has its driver map again, and goes on. The next notify may
 * come before that, so try more than once.
 */
static int transfer_mapped(struct umem_region *region, size_t offset,
			   const char *in, char *out, size_t length)
{
	int ret = transfer_part(region, offset, in, out, length);

	for (int i = 0; i < REMAPS_MAX && ret == -EAGAIN; i++) {
		ret = umem_map(region, NULL);
		if (ret)
			break;
		ret = transfer_part(region, offset, in, out, length);
	}
	return ret;
}

static int transfer(struct import *import, size_t offset, const char *in,
		    char *out, size_t length)
{
	size_t part;
	int ret = 0;

	for (size_t done = 0; !ret && done < length; done += part) {
		part = length - done;
		if (part > PEER_TRANSFER_MAX)
			part = PEER_TRANSFER_MAX;
		ret = transfer_mapped(import->data, offset + done,
				      in ? in + done : NULL,
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
	return umem_write_slowly(import->data, offset, data, length);
}

static int release(struct import *import)
{
	int ret = umem_deregister(import->data);

	free(import->data);
	import->data = NULL;
	return ret;
}

const struct importer_ops umem_importer_ops = {
	.name = "umem",
	.discover = discover,
	.open = open_umem,
	.learn = learn_device,
	.close = close_umem,
	.import = import_buffer,
	.write = write_bytes,
	.read = read_bytes,
	.write_slowly = write_slowly,
	.release = release,
};

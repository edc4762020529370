// SPDX-License-Identifier: GPL-2.0-only
/*
 * vfio-pci: a dma-buf of a part of a BAR. Its revoke is PCI_COMMAND's memory
 * bit, which concerns all buffers of the device at once. It takes importers
 * alone that allow peer to peer and can be revoked. The CPU sees the bytes
 * through the region of the device, as the dma-buf cannot be mapped by it.
 */
#include "exporter/exporter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exporter/vfio_device.h"
#include "exporter/vfio_find.h"
#include "peer/trial.h"

#define SELECTOR	"pci="

const struct exporter_ops vfio_exporter_ops;

struct vfio_device *vfio_device_of(const struct exporter *exporter)
{
	return exporter->ops == &vfio_exporter_ops ? exporter->data : NULL;
}

size_t vfio_offset_of(const struct buffer *buffer)
{
	return (uintptr_t)buffer->data;
}

static int alloc(struct exporter *exporter, const struct buffer_spec *spec,
		 struct buffer *buffer)
{
	struct vfio_device *device = exporter->data;
	struct vfio_export *request;
	size_t offset;
	int fd, ret;

	if (spec->placement == PLACE_SYSTEM || spec->placement == PLACE_OTHER ||
	    spec->shape || spec->flags & ~(BUFFER_READ_ONLY | BUFFER_NO_CLOEXEC))
		return -EOPNOTSUPP;
	ret = vfio_device_take(device, spec->size, &offset);
	if (ret)
		return ret;
	request = calloc(1, sizeof(*request) + sizeof(request->ranges[0]));
	if (!request) {
		ret = -ENOMEM;
		goto give_back;
	}
	request->region = device->bar;
	request->open_flags =
		(spec->flags & BUFFER_READ_ONLY ? O_RDONLY : O_RDWR) |
		(spec->flags & BUFFER_NO_CLOEXEC ? 0 : O_CLOEXEC);
	request->range_count = 1;
	request->ranges[0] = (struct vfio_range){ offset, spec->size };
	fd = vfio_device_export(device, request, 1);
	free(request);
	if (fd < 0) {
		ret = fd;
		goto give_back;
	}
	buffer->fd = fd;
	buffer->data = (void *)(uintptr_t)offset;
	return 0;
give_back:
	vfio_device_give(device, offset, spec->size);
	return ret;
}

/* Switched off it would be a SIGBUS. */
static int reach(const struct buffer *buffer, size_t offset, uint8_t **bytes)
{
	struct vfio_device *device = buffer->exporter->data;

	if (!vfio_device_is_on(device))
		return -ENODEV;
	*bytes = device->memory + vfio_offset_of(buffer) + offset;
	return 0;
}

static int write_bar(struct buffer *buffer, size_t offset, const void *data,
		     size_t length)
{
	uint8_t *bytes;
	int ret = reach(buffer, offset, &bytes);

	if (!ret)
		memcpy(bytes, data, length);
	return ret;
}

static int read_bar(struct buffer *buffer, size_t offset, void *data,
		    size_t length)
{
	uint8_t *bytes;
	int ret = reach(buffer, offset, &bytes);

	if (!ret)
		memcpy(data, bytes, length);
	return ret;
}

static int placement(struct buffer *buffer, enum placement *placement)
{
	(void)buffer;
	*placement = PLACE_DEVICE;
	return 0;
}

static int revoke(struct buffer *buffer)
{
	return vfio_device_switch(buffer->exporter->data, false);
}

static int restore(struct buffer *buffer)
{
	return vfio_device_switch(buffer->exporter->data, true);
}

static void release(struct buffer *buffer)
{
	vfio_device_give(buffer->exporter->data, vfio_offset_of(buffer),
			 buffer->size);
}

static int learn(struct exporter *exporter)
{
	return trial_learn_p2p(exporter, "a part of its BAR");
}

/* The address that an instance names; NULL takes the first that is bound. */
static int choose(struct backend *backend, const char *instance, char *address)
{
	struct vfio_address bound[VFIO_DEVICES_MAX];

	if (!instance) {
		if (!vfio_find_bound(bound)) {
			vfio_find_why_none(backend);
			return -ENODEV;
		}
		strcpy(address, bound[0].text);
		return 0;
	}
	if (strncmp(instance, SELECTOR, strlen(SELECTOR)) ||
	    strlen(instance) - strlen(SELECTOR) >= sizeof(bound->text)) {
		backend_reason(backend, "an instance of vfio is \"" SELECTOR "ADDRESS\", of a PCI device, not \"%s\"",
			       instance);
		return -EINVAL;
	}
	strcpy(address, instance + strlen(SELECTOR));
	return 0;
}

static int open_device(struct exporter *exporter, const char *instance)
{
	struct backend *backend = &exporter->backend;
	struct vfio_device *device = calloc(1, sizeof(*device));
	char selector[32];
	int ret = device ? choose(backend, instance, device->address) : -ENOMEM;

	if (ret)
		goto free_device;
	snprintf(selector, sizeof(selector), SELECTOR "%s", device->address);
	backend_start(backend, "vfio", selector);
	ret = vfio_find_check(backend, device->address) ?
	      vfio_device_open(device, backend) : -ENODEV;
	if (ret)
		goto free_device;
	exporter->data = device;
	backend_note(backend, "BAR %u, %zu KiB", device->bar, device->size / 1024);
	backend->capabilities = NEEDS(EXPORTER_REVOKES, EXPORTER_FILLS,
				      EXPORTER_TAKES_CLOEXEC, EXPORTER_VFIO,
				      EXPORTER_WANTS_P2P, EXPORTER_DEVICE_MEMORY);
	return 0;
free_device:
	free(device);
	return ret;
}

static void close_device(struct exporter *exporter)
{
	vfio_device_close(exporter->data);
	free(exporter->data);
}

static void discover(backend_report report, void *context)
{
	struct vfio_address bound[VFIO_DEVICES_MAX];
	int count = vfio_find_bound(bound);
	char instance[32];

	if (!count)
		exporter_report("vfio", NULL, report, context);
	for (int i = 0; i < count; i++) {
		snprintf(instance, sizeof(instance), SELECTOR "%.15s",
			 bound[i].text);
		exporter_report("vfio", instance, report, context);
	}
}

const struct exporter_ops vfio_exporter_ops = {
	.name = "vfio",
	.discover = discover,
	.open = open_device,
	.learn = learn,
	.close = close_device,
	.alloc = alloc,
	.write = write_bar,
	.read = read_bar,
	.placement = placement,
	.revoke = revoke,
	.restore = restore,
	.release = release,
};

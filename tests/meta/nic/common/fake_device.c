// SPDX-License-Identifier: GPL-2.0-only
#include "common/fake_device.h"

#include <errno.h>
#include <stdlib.h>

/* The one region that it has. */
#define KEY	0x123

struct fabric {
	int unused;
};

static struct device *newest;

struct device *fake_device(void)
{
	return newest;
}

struct fabric *fabric_new(void)
{
	return calloc(1, sizeof(struct fabric));
}

void fabric_free(struct fabric *fabric)
{
	free(fabric);
}

struct device *device_new(struct function *function, struct fabric *fabric,
			  const struct options *options)
{
	(void)fabric;
	(void)options;
	newest = calloc(1, sizeof(*newest));
	if (newest)
		newest->function = function;
	return newest;
}

void device_free(struct device *device)
{
	free(device);
}

void device_reset(struct device *device)
{
	device->resets++;
}

uint32_t device_register_read(struct device *device, uint32_t offset)
{
	return device->registers[offset / 4];
}

void device_register_write(struct device *device, uint32_t offset, uint32_t value)
{
	device->registers[offset / 4] = value;
	device->writes++;
}

void device_doorbell_write(struct device *device, uint32_t offset, uint32_t value)
{
	device->doorbell = offset;
	device->value = value;
	device->writes++;
}

int device_tick(struct device *device, uint64_t now_ns)
{
	(void)device;
	(void)now_ns;
	return -1;
}

int device_region_bytes(struct device *device, uint32_t key, uint64_t *read,
			uint64_t *written)
{
	(void)device;
	if (key != KEY)
		return -ENOENT;
	*read = 0x1122334455667788;
	*written = 5;
	return 0;
}

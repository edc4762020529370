// SPDX-License-Identifier: GPL-2.0-only
/* Opens a device of vfio-pci, switches it and exports its BAR. */
#include "exporter/vfio_device.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/pci_regs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "exporter/vfio_find.h"
#include "pair/errno_text.h"

#define CONTAINER	"/dev/vfio/vfio"
#define PAGE		4096

/* Notes what could not be done as a reason; returns @error. */
static int fail(struct backend *backend, const char *what, int error)
{
	backend_reason(backend, "%s: %s", what, errno_text(error));
	return error;
}

static int open_group(struct vfio_device *device, struct backend *backend)
{
	struct vfio_group_status status = { .argsz = sizeof(status) };
	char path[32];

	vfio_find_node(device->address, path, sizeof(path));
	device->group = open(path, O_RDWR | O_CLOEXEC);
	if (device->group < 0)
		return fail(backend, "cannot open its group, which one process at a time can have",
			    -errno);
	if (ioctl(device->group, VFIO_GROUP_GET_STATUS, &status))
		return fail(backend, "cannot ask for the state of its group", -errno);
	if (status.flags & VFIO_GROUP_FLAGS_VIABLE)
		return 0;
	backend_reason(backend, "another device of its IOMMU group has a driver of the kernel's: unbind that, or bind it to vfio-pci");
	return -ENODEV;
}

static int open_device(struct vfio_device *device, struct backend *backend)
{
	int ret = open_group(device, backend);

	if (ret)
		return ret;
	device->container = open(CONTAINER, O_RDWR | O_CLOEXEC);
	if (device->container < 0)
		return fail(backend, "cannot open " CONTAINER, -errno);
	if (ioctl(device->group, VFIO_GROUP_SET_CONTAINER, &device->container))
		return fail(backend, "cannot put its group into a container", -errno);
	if (ioctl(device->container, VFIO_SET_IOMMU, VFIO_TYPE1v2_IOMMU))
		return fail(backend, "cannot have the IOMMU for it", -errno);
	device->device = ioctl(device->group, VFIO_GROUP_GET_DEVICE_FD,
			       device->address);
	if (device->device < 0)
		return fail(backend, "cannot open the device in its group", -errno);
	return 0;
}

/* Whether the kernel's vfio-pci exports BARs; that this device's does not is another matter. */
static int ask_for_feature(struct vfio_device *device, struct backend *backend)
{
	struct vfio_device_feature feature = {
		.argsz = sizeof(feature),
		.flags = VFIO_DEVICE_FEATURE_PROBE | VFIO_DEVICE_FEATURE_GET |
			 VFIO_FEATURE_DMA_BUF,
	};
	int ret = ioctl(device->device, VFIO_DEVICE_FEATURE, &feature) ?
		  -errno : 0;

	if (ret == -ENOTTY)
		backend_reason(backend, "vfio-pci of this kernel exports no dma-bufs: 6.19 and newer do, with CONFIG_VFIO_PCI_DMABUF");
	else if (ret)
		backend_reason(backend, "this device is not exported: %s",
			       errno_text(ret));
	return ret ? -ENODEV : 0;
}

static int region_info(struct vfio_device *device, uint32_t index,
		       struct vfio_region_info *info)
{
	*info = (struct vfio_region_info){
		.argsz = sizeof(*info), .index = index,
	};
	return ioctl(device->device, VFIO_DEVICE_GET_REGION_INFO, info) ?
	       -errno : 0;
}

/* The largest BAR that is memory to be mapped, not ports. */
static uint64_t choose_bar(struct vfio_device *device)
{
	struct vfio_region_info info;
	uint64_t offset = 0;

	for (uint32_t bar = VFIO_PCI_BAR0_REGION_INDEX;
	     bar <= VFIO_PCI_BAR5_REGION_INDEX; bar++) {
		if (region_info(device, bar, &info) ||
		    !(info.flags & VFIO_REGION_INFO_FLAG_MMAP) ||
		    info.size <= device->size || info.size % PAGE)
			continue;
		device->bar = bar;
		device->size = info.size;
		offset = info.offset;
	}
	return offset;
}

static int map_bar(struct vfio_device *device, struct backend *backend)
{
	uint64_t offset = choose_bar(device);
	void *memory;

	if (!device->size) {
		backend_reason(backend, "the device has no BAR of whole pages that can be mapped");
		return -ENODEV;
	}
	memory = mmap(NULL, device->size, PROT_READ | PROT_WRITE, MAP_SHARED,
		      device->device, offset);
	if (memory == MAP_FAILED)
		return fail(backend, "cannot map its BAR", -errno);
	device->memory = memory;
	pthread_mutex_init(&device->lock, NULL);
	device->taken = calloc(device->size / PAGE, 1);
	return device->taken ? 0 : -ENOMEM;
}

static int prepare(struct vfio_device *device, struct backend *backend)
{
	struct vfio_region_info info;
	int ret = region_info(device, VFIO_PCI_CONFIG_REGION_INDEX, &info);

	if (ret)
		return fail(backend, "cannot find its configuration space", ret);
	device->config = info.offset;
	ret = map_bar(device, backend);
	if (ret)
		return ret;
	ret = vfio_device_switch(device, true);
	return ret ? fail(backend, "cannot switch its memory on", ret) : 0;
}

int vfio_device_open(struct vfio_device *device, struct backend *backend)
{
	int ret;

	device->container = -1;
	device->group = -1;
	device->device = -1;
	ret = open_device(device, backend);
	if (!ret)
		ret = ask_for_feature(device, backend);
	if (!ret)
		ret = prepare(device, backend);
	if (ret)
		vfio_device_close(device);
	return ret;
}

static void close_file(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* What is mapped keeps the file open. */
void vfio_device_close(struct vfio_device *device)
{
	if (device->memory)
		munmap(device->memory, device->size);
	device->memory = NULL;
	if (device->taken)
		pthread_mutex_destroy(&device->lock);
	free(device->taken);
	device->taken = NULL;
	close_file(&device->device);
	close_file(&device->group);
	close_file(&device->container);
}

int vfio_device_export(struct vfio_device *device, struct vfio_export *request,
		       size_t count)
{
	int fd;

	request->argsz = sizeof(*request) + count * sizeof(request->ranges[0]);
	request->flags = VFIO_DEVICE_FEATURE_GET | VFIO_FEATURE_DMA_BUF;
	fd = ioctl(device->device, VFIO_DEVICE_FEATURE, request);
	return fd < 0 ? -errno : fd;
}

int vfio_device_export_ranges(struct vfio_device *device,
			      const struct vfio_range *ranges, size_t count)
{
	struct vfio_export *request =
		calloc(1, sizeof(*request) + count * sizeof(*ranges));
	int fd;

	if (!request)
		return -ENOMEM;
	request->region = device->bar;
	request->open_flags = O_RDWR | O_CLOEXEC;
	request->range_count = count;
	memcpy(request->ranges, ranges, count * sizeof(*ranges));
	fd = vfio_device_export(device, request, count);
	free(request);
	return fd;
}

static int read_command(const struct vfio_device *device, uint16_t *command)
{
	ssize_t done = pread(device->device, command, sizeof(*command),
			     device->config + PCI_COMMAND);

	if (done < 0)
		return -errno;
	return done == sizeof(*command) ? 0 : -EIO;
}

bool vfio_device_is_on(const struct vfio_device *device)
{
	uint16_t command;

	return !read_command(device, &command) && command & PCI_COMMAND_MEMORY;
}

int vfio_device_switch(struct vfio_device *device, bool on)
{
	uint16_t command;
	int ret = read_command(device, &command);

	if (ret)
		return ret;
	if (on)
		command |= PCI_COMMAND_MEMORY;
	else
		command &= ~PCI_COMMAND_MEMORY;
	if (pwrite(device->device, &command, sizeof(command),
		   device->config + PCI_COMMAND) != sizeof(command))
		return -EIO;
	return vfio_device_is_on(device) == on ? 0 : -EIO;
}

int vfio_device_reset(struct vfio_device *device)
{
	struct vfio_device_info info = { .argsz = sizeof(info) };

	if (ioctl(device->device, VFIO_DEVICE_GET_INFO, &info))
		return -errno;
	if (!(info.flags & VFIO_DEVICE_FLAGS_RESET))
		return -EOPNOTSUPP;
	return ioctl(device->device, VFIO_DEVICE_RESET) ? -errno : 0;
}

static bool is_free(const struct vfio_device *device, size_t first, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (device->taken[first + i])
			return false;
	return true;
}

static int take_first(struct vfio_device *device, size_t size, size_t *offset)
{
	size_t pages = device->size / PAGE, count = size / PAGE;

	for (size_t first = 0; count <= pages && first <= pages - count; first++) {
		if (!is_free(device, first, count))
			continue;
		memset(device->taken + first, 1, count);
		*offset = first * PAGE;
		return 0;
	}
	return -ENOSPC;
}

int vfio_device_take(struct vfio_device *device, size_t size, size_t *offset)
{
	int ret;

	pthread_mutex_lock(&device->lock);
	ret = take_first(device, size, offset);
	pthread_mutex_unlock(&device->lock);
	return ret;
}

void vfio_device_give(struct vfio_device *device, size_t offset, size_t size)
{
	if (!device->taken)
		return;
	pthread_mutex_lock(&device->lock);
	memset(device->taken + offset / PAGE, 0, size / PAGE);
	pthread_mutex_unlock(&device->lock);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * RDMA core: a dma-buf of memory of an RDMA device, such as user space can map
 * through the device's node. Its revoke is to give that memory back, which
 * nothing undoes. It takes importers alone that allow peer to peer, and lets
 * nobody pin. The CPU sees the bytes through the node, as the dma-buf cannot be
 * mapped by it.
 */
#include "exporter/exporter.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "clause/law.h"
#include "exporter/uverbs_area.h"
#include "pair/errno_text.h"
#include "pair/kernel.h"
#include "peer/kmod/uapi/dmabuf_peer_rdma.h"
#include "peer/trial.h"

const struct exporter_ops uverbs_exporter_ops;

/*
 * To give memory back is to revoke, whoever still has the buffer. So what a
 * buffer leaves is kept for the next one, whichever thread allocates that.
 */
struct node {
	struct uverbs uverbs;
	pthread_mutex_t lock;		/* of the list */
	struct uverbs_area *kept;
};

const struct uverbs *uverbs_of(const struct exporter *exporter)
{
	struct node *node = exporter->data;

	return exporter->ops == &uverbs_exporter_ops ? &node->uverbs : NULL;
}

struct uverbs_area *uverbs_area_of(const struct buffer *buffer)
{
	return buffer->data;
}

static struct uverbs_area *take_kept(struct node *node, size_t size)
{
	struct uverbs_area **at, *area;

	pthread_mutex_lock(&node->lock);
	at = &node->kept;
	while (*at && (*at)->size != size)
		at = &(*at)->next;
	area = *at;
	if (area)
		*at = area->next;
	pthread_mutex_unlock(&node->lock);
	return area;
}

static void drop(struct node *node, struct uverbs_area *area)
{
	uverbs_area_drop(&node->uverbs, area);
	free(area);
}

static void keep(struct node *node, struct uverbs_area *area)
{
	if (!area->live) {
		drop(node, area);
		return;
	}
	pthread_mutex_lock(&node->lock);
	area->next = node->kept;
	node->kept = area;
	pthread_mutex_unlock(&node->lock);
}

static int take(struct node *node, size_t size, struct uverbs_area **taken)
{
	struct uverbs_area *area = take_kept(node, size);
	int ret = 0;

	if (!area) {
		area = malloc(sizeof(*area));
		ret = area ? uverbs_area_new(&node->uverbs, size, area) : -ENOMEM;
	}
	if (ret)
		free(area);
	else
		*taken = area;
	return ret;
}

static int alloc(struct exporter *exporter, const struct buffer_spec *spec,
		 struct buffer *buffer)
{
	struct node *node = exporter->data;
	struct uverbs_area *area;
	int ret;

	if (spec->placement == PLACE_SYSTEM || spec->placement == PLACE_OTHER ||
	    spec->shape || spec->flags & ~BUFFER_READ_ONLY)
		return -EOPNOTSUPP;
	ret = take(node, spec->size, &area);
	if (ret)
		return ret;
	ret = uverbs_export(&node->uverbs, area->offset);
	if (ret < 0) {
		keep(node, area);
		return ret;
	}
	buffer->fd = ret;
	buffer->data = area;
	return 0;
}

static int alloc_unanswered(struct exporter *exporter, size_t size)
{
	struct node *node = exporter->data;
	struct uverbs_area *area;
	int ret = take(node, size, &area);

	if (ret)
		return ret;
	ret = uverbs_export_unanswered(&node->uverbs, area->offset);
	keep(node, area);
	return ret;
}

static int write_area(struct buffer *buffer, size_t offset, const void *data,
		      size_t length)
{
	memcpy(uverbs_area_of(buffer)->bytes + offset, data, length);
	return 0;
}

static int read_area(struct buffer *buffer, size_t offset, void *data,
		     size_t length)
{
	memcpy(data, uverbs_area_of(buffer)->bytes + offset, length);
	return 0;
}

static int placement(struct buffer *buffer, enum placement *placement)
{
	(void)buffer;
	*placement = PLACE_DEVICE;
	return 0;
}

static int revoke(struct buffer *buffer)
{
	return uverbs_area_end(uverbs_of(buffer->exporter),
			       uverbs_area_of(buffer));
}

static void release(struct buffer *buffer)
{
	keep(buffer->exporter->data, uverbs_area_of(buffer));
}

/* Why there is no such device at all. */
static void explain_missing(struct backend *backend, const char *name)
{
	if (name)
		backend_reason(backend, "no RDMA device \"%s\": see /sys/class/infiniband",
			       name);
	else
		backend_reason(backend, "no RDMA device in /sys/class/infiniband: load the driver of yours, or insmod " PEER_RDMA_DRIVER " where there is QEMU's pci-testdev with membar=4M,membar-backed=on");
}

/* What of the kernel is missing, whatever the device. */
static void check_kernel(struct backend *backend)
{
	backend_needs_module(backend, "ib_uverbs",
			     "CONFIG_INFINIBAND_USER_ACCESS");
	if (law_value(LAW_UVERBS_DMABUF) == NO)
		backend_reason(backend, "RDMA core of kernel %s exports no memory of devices (UVERBS_OBJECT_DMABUF): 7.2 and newer do",
			       kernel_release());
	if (kernel_config("CONFIG_PCI_P2PDMA") == CONFIG_OFF)
		backend_reason(backend, "kernel %s was built without CONFIG_PCI_P2PDMA: nothing reaches the memory of another device",
			       kernel_release());
}

/* What of the driver is missing. A device without the call answers at once. */
static void check_driver(struct backend *backend,
			 const struct rdma_device *device)
{
	const char *driver = device->driver[0] ? device->driver :
						 "of this device";
	struct uverbs uverbs;
	int ret;

	if (!uverbs_area_known(device->driver))
		backend_reason(backend, "how driver %s gives memory to be mapped is not known to the suite",
			       driver);
	if (!backend_needs_node(backend, device->node, "it comes with ib_uverbs"))
		return;
	ret = uverbs_open(device->name, &uverbs);
	if (ret) {
		backend_reason(backend, "cannot open %s: %s", device->node,
			       errno_text(ret));
		return;
	}
	if (uverbs_export(&uverbs, 0) == -EPROTONOSUPPORT)
		backend_reason(backend, "driver %s exports none of its memory: it has no pgoff_to_mmap_entry and mmap_get_pfns, as mlx5_ib has",
			       driver);
	uverbs_close(&uverbs);
}

/* The named one; else the first whose driver is known, or the first of all. */
static int find_device(const char *name, struct rdma_device *device)
{
	struct rdma_device devices[RDMA_DEVICES_MAX];
	int count = name ? 0 : rdma_devices(devices);

	for (int i = 0; i < count; i++)
		if (uverbs_area_known(devices[i].driver)) {
			*device = devices[i];
			return 0;
		}
	return rdma_find(name, device);
}

/* All that is missing; whether nothing is. */
static bool is_there(struct backend *backend, const char *name,
		     struct rdma_device *device)
{
	if (find_device(name, device))
		explain_missing(backend, name);
	else
		check_driver(backend, device);
	if (backend->reason_count)
		check_kernel(backend);
	return !backend->reason_count;
}

static void describe(struct backend *backend, const struct rdma_device *device)
{
	strcpy(backend->device, device->parent);
	if (!strcmp(device->driver, PEER_RDMA_DRIVER)) {
		backend_note(backend, "RDMA core's own code, for a device of the suite's own");
		return;
	}
	backend->evidence = EVIDENCE_HARDWARE;
	backend_note(backend, "RDMA core's own code, for a device of %s",
		     device->driver);
}

static int open_uverbs(struct exporter *exporter, const char *name)
{
	struct backend *backend = &exporter->backend;
	struct rdma_device device = { 0 };
	struct node *node;
	int ret;

	backend_set_driver(backend, "ib_uverbs");
	if (!is_there(backend, name, &device))
		return -ENODEV;
	node = calloc(1, sizeof(*node));
	if (!node)
		return -ENOMEM;
	ret = uverbs_open(device.name, &node->uverbs);
	if (ret)
		goto free_node;
	ret = uverbs_get_context(&node->uverbs);
	if (ret)
		goto close_node;
	pthread_mutex_init(&node->lock, NULL);
	exporter->data = node;
	backend_start(backend, "uverbs", device.name);
	backend_set_driver(backend, "ib_uverbs");
	describe(backend, &device);
	backend->capabilities = NEEDS(EXPORTER_UVERBS, EXPORTER_REVOKES,
				      EXPORTER_REFUSES_PIN, EXPORTER_FILLS,
				      EXPORTER_WANTS_P2P, EXPORTER_DEVICE_MEMORY);
	return 0;
close_node:
	uverbs_close(&node->uverbs);
free_node:
	backend_reason(backend, "cannot open the device: %s", errno_text(ret));
	free(node);
	return ret;
}

static int learn(struct exporter *exporter)
{
	return trial_learn_p2p(exporter, "memory of the device");
}

/* What is mapped would keep the context. */
static void close_node(struct exporter *exporter)
{
	struct node *node = exporter->data;
	struct uverbs_area *area;

	while ((area = node->kept)) {
		node->kept = area->next;
		drop(node, area);
	}
	uverbs_close(&node->uverbs);
	pthread_mutex_destroy(&node->lock);
	free(node);
}

static void discover(backend_report report, void *context)
{
	struct rdma_device devices[RDMA_DEVICES_MAX];
	int count = rdma_devices(devices);

	for (int i = 0; i < count; i++)
		exporter_report("uverbs", devices[i].name, report, context);
	if (!count)
		exporter_report("uverbs", NULL, report, context);
}

const struct exporter_ops uverbs_exporter_ops = {
	.name = "uverbs",
	.discover = discover,
	.open = open_uverbs,
	.learn = learn,
	.close = close_node,
	.alloc = alloc,
	.alloc_unanswered = alloc_unanswered,
	.write = write_area,
	.read = read_area,
	.placement = placement,
	.revoke = revoke,
	.release = release,
};

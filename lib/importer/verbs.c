// SPDX-License-Identifier: GPL-2.0-only
/*
 * RDMA devices as importers, through libibverbs: an import is a registration,
 * bytes go in loopback through two queue pairs of the device itself.
 */
#include "importer/verbs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "importer/nic_page.h"
#include "importer/rdma_device.h"
#include "importer/verbs_library.h"
#include "importer/verbs_mover.h"
#include "pair/errno_text.h"
#include "peer/kmod/uapi/dmabuf_peer_rdma.h"
#include "peer/trial.h"

/*
 * Where regions begin, apart from their offset: far from any address of the
 * program, and so aligned that every page size of a device will do.
 */
#define IOVA_BASE	UINT64_C(0x0000100000000000)

struct adapter {
	struct verbs *verbs;
	struct verbs_domain *domain;
	struct verbs_mover mover;
};

struct verbs *verbs_of(const struct importer *importer)
{
	const struct adapter *adapter = importer->data;

	return adapter->verbs;
}

static int import_buffer(struct importer *importer, int fd, size_t offset,
			 size_t length, unsigned int access,
			 struct import *import)
{
	struct adapter *adapter = importer->data;
	struct verbs_request request = {
		.fd = fd,
		.offset = offset,
		.length = length,
		.iova = IOVA_BASE + offset,
		.access = verbs_move_access(verbs_traits(adapter->verbs),
					    access),
	};
	struct verbs_region *region = calloc(1, sizeof(*region));
	int ret;

	if (!region)
		return -ENOMEM;
	ret = verbs_register(adapter->domain, &request, region);
	if (ret) {
		free(region);
		return ret;
	}
	import->handle = region->lkey;
	import->data = region;
	return 0;
}

/* What moves bytes is made when the first are to be moved. */
static int mover_of(const struct import *import, struct verbs_mover **mover)
{
	struct adapter *adapter = import->importer->data;

	*mover = &adapter->mover;
	return adapter->mover.domain ? 0 :
	       verbs_mover_open(adapter->domain, &adapter->mover);
}

static int write_bytes(struct import *import, size_t offset, const void *data,
		       size_t length)
{
	struct verbs_mover *mover;
	int ret = mover_of(import, &mover);

	return ret ? ret :
	       verbs_move_in(mover, import->data, offset, data, length);
}

static int read_bytes(struct import *import, size_t offset, void *data,
		      size_t length)
{
	struct verbs_mover *mover;
	int ret = mover_of(import, &mover);

	return ret ? ret :
	       verbs_move_out(mover, import->data, offset, data, length);
}

static int release(struct import *import)
{
	int ret = verbs_deregister(import->data);

	free(import->data);
	import->data = NULL;
	return ret;
}

/* Which NIC it is: ours tells by a page that no other has. */
static void learn_origin(struct backend *backend,
			 const struct rdma_device *device)
{
	struct nic_page page;
	int ret = device->pci ? nic_page_open(device->parent, &page) : -ENODEV;

	backend->evidence = device->parent[0] ? EVIDENCE_HARDWARE :
						EVIDENCE_SOFTWARE;
	if (ret == -ENODEV)
		return;
	backend->evidence = EVIDENCE_EMULATED;
	if (ret) {
		backend_note(backend, "its instrument page cannot be used: %s",
			     errno_text(ret));
		return;
	}
	backend->capabilities |= CAP(IMPORTER_NIC_PAGE);
	nic_page_close(&page);
}

static void describe(struct backend *backend, const struct rdma_device *device)
{
	backend_start(backend, "verbs", device->name);
	if (device->driver[0])
		backend_set_driver(backend, device->driver);
	snprintf(backend->device, sizeof(backend->device), "%.47s",
		 device->parent[0] ? device->parent : device->name);
	learn_origin(backend, device);
}

static void explain_missing(struct backend *backend, const char *instance)
{
	/* The runner knows why its guest has none. */
	const char *no_nic = getenv("DMABUF_CTS_NO_NIC");

	if (instance)
		backend_reason(backend, "no RDMA device \"%s\": see /sys/class/infiniband",
			       instance);
	else
		backend_reason(backend, "no RDMA device in /sys/class/infiniband: load the driver of yours");
	if (no_nic)
		backend_reason(backend, "%s", no_nic);
}

/* Ours has memory to export, and nothing to import with. */
static bool is_ours(const struct rdma_device *device)
{
	return !strcmp(device->driver, PEER_RDMA_DRIVER);
}

/* The named one, ours too; else the first that can import. */
static int find_device(const char *name, struct rdma_device *device)
{
	struct rdma_device devices[RDMA_DEVICES_MAX];
	int count;

	if (name)
		return rdma_find(name, device);
	count = rdma_devices(devices);
	for (int i = 0; i < count; i++)
		if (!is_ours(&devices[i])) {
			*device = devices[i];
			return 0;
		}
	return -ENODEV;
}

/* All that is missing, not only what is met first. */
static bool is_there(struct backend *backend, const char *instance)
{
	struct rdma_device device = { 0 };
	bool found = !find_device(instance, &device);
	const char *why;

	if (found)
		describe(backend, &device);
	else
		explain_missing(backend, instance);
	if (!verbs_library_load(&why))
		backend_reason(backend, "%s", why);
	if (device.node[0])
		backend_needs_node(backend, device.node, "it comes with ib_uverbs");
	else
		backend_needs_module(backend, "ib_uverbs",
				     "CONFIG_INFINIBAND_USER_ACCESS");
	return !backend->reason_count;
}

static int cannot(struct backend *backend, const char *what, int error)
{
	backend_reason(backend, "libibverbs cannot %s: %s", what,
		       errno_text(error));
	return error;
}

/* A driver that registers no dma-buf at all says so before it looks at one. */
static int check_support(struct backend *backend, struct verbs_domain *domain)
{
	const struct verbs_request nothing = { .fd = -1, .length = 4096 };
	struct verbs_region region;

	if (verbs_register(domain, &nothing, &region) != -EOPNOTSUPP)
		return 0;
	backend_reason(backend, "driver %s registers no dma-bufs",
		       backend->driver[0] ? backend->driver : "of this device");
	return -ENODEV;
}

/* What it declares and does, from an import of a buffer that may be pinned. */
static void learn_from_peer(struct importer *importer)
{
	struct backend *backend = &importer->backend;
	struct trial_buffer buffer;
	struct import import;
	int ret = trial_buffer_make(PEER_POLICY_DYNAMIC, 0, &buffer);

	if (ret == TRIAL_NO_PEER) {
		backend_note(backend, "how it attaches is unknown without the peer exporter");
		goto claim;
	}
	if (!ret) {
		import.importer = importer;
		ret = import_buffer(importer, buffer.fd, 0, 4096, IMPORT_BOTH,
				    &import);
		if (!ret) {
			backend->capabilities |= trial_buffer_claims(&buffer);
			release(&import);
		}
		trial_buffer_drop(&buffer);
	}
	if (!ret)
		return;
	backend_note(backend, "a trial import failed: %s", errno_text(ret));
claim:
	/* A registration is for DMA; if it is not, the tests shall say so. */
	backend->capabilities |= NEEDS(IMPORTER_ATTACHES, IMPORTER_MAPS);
}

static int learn_movement(struct backend *backend, struct adapter *adapter)
{
	const struct verbs_traits *traits = verbs_traits(adapter->verbs);
	int ret;

	if (!verbs_can_move(traits)) {
		backend_note(backend, "only registers: %s",
			     traits->transport ? "it has datagrams alone" :
			     "no active port, or no transport that the suite knows");
		return 0;
	}
	ret = verbs_mover_open(adapter->domain, &adapter->mover);
	if (ret)
		return cannot(backend, "make queue pairs", ret);
	backend->capabilities |= CAP(IMPORTER_MOVES_BYTES);
	if (traits->rdma_write)
		backend->capabilities |= CAP(IMPORTER_RDMA_WRITE);
	backend_note(backend, "moves bytes over %s in loopback, by RDMA %s",
		     traits->transport, traits->rdma_write ? "write and read" :
		     traits->rdma_read ? "read" : "send");
	return 0;
}

static void close_adapter(struct importer *importer)
{
	struct adapter *adapter = importer->data;

	verbs_mover_close(&adapter->mover);
	verbs_domain_free(adapter->domain);
	verbs_close(adapter->verbs);
	free(adapter);
}

/* The device with all that imports will need; nothing is left if it fails. */
static int open_adapter(struct backend *backend, struct adapter *adapter)
{
	int ret = verbs_open(backend->selector + sizeof("verbs"), &adapter->verbs);

	if (ret)
		return cannot(backend, "open it (is its provider installed, package ibverbs-providers?)",
			      ret);
	ret = verbs_domain_new(adapter->verbs, &adapter->domain);
	if (!ret)
		return 0;
	verbs_close(adapter->verbs);
	return cannot(backend, "allocate a protection domain", ret);
}

static int open_device(struct importer *importer, const char *instance)
{
	struct backend *backend = &importer->backend;
	struct adapter *adapter;
	int ret;

	if (!is_there(backend, instance))
		return -ENODEV;
	adapter = calloc(1, sizeof(*adapter));
	if (!adapter)
		return -ENOMEM;
	ret = open_adapter(backend, adapter);
	if (ret) {
		free(adapter);
		return ret;
	}
	importer->data = adapter;
	backend->capabilities |= NEEDS(IMPORTER_VERBS, IMPORTER_UMEM);
	return 0;
}

static int learn(struct importer *importer)
{
	struct backend *backend = &importer->backend;
	struct adapter *adapter = importer->data;
	int ret = check_support(backend, adapter->domain);

	if (ret)
		return ret;
	learn_from_peer(importer);
	return learn_movement(backend, adapter);
}

static void discover(backend_report report, void *context)
{
	struct rdma_device devices[RDMA_DEVICES_MAX];
	int count = rdma_devices(devices), told = 0;

	for (int i = 0; i < count; i++)
		if (!is_ours(&devices[i])) {
			importer_report("verbs", devices[i].name, report,
					context);
			told++;
		}
	if (!told)
		importer_report("verbs", NULL, report, context);
}

const struct importer_ops verbs_importer_ops = {
	.name = "verbs",
	.discover = discover,
	.prepare = verbs_prepare,
	.open = open_device,
	.learn = learn,
	.close = close_adapter,
	.import = import_buffer,
	.write = write_bytes,
	.read = read_bytes,
	.release = release,
};

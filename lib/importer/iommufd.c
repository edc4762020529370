// SPDX-License-Identifier: GPL-2.0-only
/*
 * iommufd as importer: a dma-buf is mapped into an address space of /dev/iommu
 * by IOMMU_IOAS_MAP_FILE. It takes buffers of vfio-pci alone that are one
 * range, attaches and pins them, and asks vfio-pci for the address in place of
 * a map. No device that can be told what to do is in the address space, so that
 * no bytes can be moved.
 */
#include "importer/iommufd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "importer/iommufd_uapi.h"
#include "pair/errno_text.h"
#include "pair/kernel.h"
#include "peer/trial.h"

#define NODE		"/dev/iommu"
#define MODULE		"iommufd"
#define OPTION		"CONFIG_IOMMUFD"
#define VFIO_OPTION	"CONFIG_VFIO_PCI_DMABUF"

/* Each request begins with its size. */
#define call(importer, number, request) \
	(ioctl((importer)->control, number, request) ? -errno : 0)

uint32_t iommufd_space(const struct importer *importer)
{
	return (uintptr_t)importer->data;
}

int iommufd_map(struct importer *importer, int fd, uint64_t start,
		uint64_t length, unsigned int access, uint64_t *address)
{
	struct iommufd_map_file map = {
		.size = sizeof(map),
		.flags = (access & IMPORT_READ ? IOMMUFD_MAP_READABLE : 0) |
			 (access & IMPORT_WRITE ? IOMMUFD_MAP_WRITABLE : 0),
		.space = iommufd_space(importer),
		.fd = fd,
		.start = start,
		.length = length,
	};
	int ret = call(importer, IOMMUFD_MAP_FILE_CALL, &map);

	if (!ret)
		*address = map.address;
	return ret;
}

int iommufd_unmap(struct importer *importer, uint64_t address, uint64_t length)
{
	struct iommufd_unmap unmap = {
		.size = sizeof(unmap), .space = iommufd_space(importer),
		.address = address, .length = length,
	};

	return call(importer, IOMMUFD_UNMAP_CALL, &unmap);
}

static int import_buffer(struct importer *importer, int fd, size_t offset,
			 size_t length, unsigned int access,
			 struct import *import)
{
	uint64_t address;
	int ret = iommufd_map(importer, fd, offset, length, access, &address);

	if (!ret)
		import->data = (void *)(uintptr_t)address;
	return ret;
}

static int release(struct import *import)
{
	/* The file may be closed already, and the address space with it. */
	if (import->importer->control < 0)
		return 0;
	return iommufd_unmap(import->importer, (uintptr_t)import->data,
			     import->length);
}

/* Older ones, from 6.13 on, take any file for memory to be mapped by the CPU. */
static int refuse(struct backend *backend, int error)
{
	if (error)
		backend_reason(backend, "iommufd attaches no buffer: a trial import gives %s",
			       errno_text(error));
	else
		backend_reason(backend, "iommufd of kernel %s maps memory files alone: 6.19 and newer take dma-bufs of vfio-pci",
			       kernel_release());
	return -ENODEV;
}

/*
 * A buffer of the peer exporter is attached and pinned before it is turned
 * away, and shows what iommufd does.
 */
static int learn(struct importer *importer)
{
	struct backend *backend = &importer->backend;
	struct trial_buffer buffer;
	uint64_t address;
	int ret = trial_buffer_make(PEER_POLICY_DYNAMIC, 0, &buffer);

	if (ret == TRIAL_NO_PEER) {
		backend_note(backend, "what it does to buffers is unknown without the peer exporter");
		return 0;
	} else if (ret) {
		return ret;
	}
	ret = iommufd_map(importer, buffer.fd, 0, TRIAL_SIZE, IMPORT_BOTH,
			  &address);
	backend->capabilities |= trial_buffer_claims(&buffer);
	if (!ret)
		iommufd_unmap(importer, address, TRIAL_SIZE);
	trial_buffer_drop(&buffer);
	if (!(backend->capabilities & CAP(IMPORTER_ATTACHES)))
		return refuse(backend, ret);
	if (ret != -EOPNOTSUPP)
		backend_note(backend, "a trial import of another driver's buffer: %s",
			     errno_text(ret));
	return 0;
}

/* All that is missing, not only what is met first. */
static bool is_there(struct backend *backend)
{
	/* The runner knows why its guest has none. */
	const char *no_iommufd = getenv("DMABUF_CTS_NO_IOMMUFD");

	if (access(NODE, F_OK) && no_iommufd)
		backend_reason(backend, "%s", no_iommufd);
	if (backend_needs_module(backend, MODULE, OPTION))
		backend_needs_node(backend, NODE, "it comes with iommufd (" OPTION ")");
	if (kernel_config(VFIO_OPTION) == CONFIG_OFF)
		backend_reason(backend, "kernel %s was built without " VFIO_OPTION ", whose buffers alone can be imported",
			       kernel_release());
	return !backend->reason_count;
}

static int open_space(struct importer *importer)
{
	struct iommufd_space space = { .size = sizeof(space) };
	int ret;

	importer->control = open(NODE, O_RDWR | O_CLOEXEC);
	ret = importer->control < 0 ? -errno :
	      call(importer, IOMMUFD_SPACE_CALL, &space);
	if (ret)
		backend_reason(&importer->backend, "cannot make an address space in " NODE ": %s",
			       errno_text(ret));
	importer->data = (void *)(uintptr_t)space.id;
	return ret;
}

static int open_iommufd(struct importer *importer, const char *instance)
{
	struct backend *backend = &importer->backend;

	if (instance) {
		backend_reason(backend, "iommufd has no instances: leave out \":%s\"",
			       instance);
		return -EINVAL;
	}
	backend_set_driver(backend, MODULE);
	backend->capabilities = CAP(IMPORTER_IOMMUFD);
	backend_note(backend, "moves no bytes: no device that could be told to is in its address space");
	return is_there(backend) ? open_space(importer) : -ENODEV;
}

static void discover(backend_report report, void *context)
{
	importer_report("iommufd", NULL, report, context);
}

const struct importer_ops iommufd_importer_ops = {
	.name = "iommufd",
	.discover = discover,
	.open = open_iommufd,
	.learn = learn,
	.import = import_buffer,
	.release = release,
};

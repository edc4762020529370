// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memory of dma-bufs for network devices (net/core/devmem.c): a buffer is
 * bound to a device, and messages are sent from it, or received into it. An
 * instance is a direction: "tx" and "rx" for the suite's own network device, and
 * "tx@eth0" for one that is there. The code of the kernel that is judged is the
 * same. What is sent to another machine nobody here can read back, so nothing
 * that is about bytes is judged with it.
 *
 * For receiving, a buffer takes the place of all memory that a queue had, which
 * a network device that others use cannot spare: "rx" takes the suite's own
 * alone.
 */
#include "importer/devmem.h"

#include <errno.h>
#include <limits.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "oracle/rdma_link.h"
#include "pair/errno_text.h"
#include "pair/kernel.h"
#include "peer/peer_open.h"
#include "peer/trial.h"

#define MODULE		"dmabuf_peer_net"
#define OPTION		"CONFIG_NET_DEVMEM"
#define SENDING		"tx"
#define RECEIVING	"rx"
#define DIRECTION_SIZE	sizeof(SENDING)
#define NOT_A_FD	(-1)

/* What an open importer is. */
struct devmem {
	bool receives;
	char network[IF_NAMESIZE];
};

static bool has_device(const char *text)
{
	return *text == '@' && text[1] && strlen(text + 1) < IF_NAMESIZE;
}

/* "tx@eth0" */
static int parse(const char *name, struct devmem *devmem)
{
	const char *device = name + strlen(SENDING);

	devmem->receives = !strcmp(name, RECEIVING);
	if (!devmem->receives && strncmp(name, SENDING, strlen(SENDING)))
		return -EINVAL;
	if (*device && !has_device(device))
		return -EINVAL;
	strcpy(devmem->network, *device ? device + 1 : PEER_NET_NAME);
	return 0;
}

/* A queue that nobody has bound memory to, or a negative errno. */
static int find_queue(const char *network)
{
	/* While the device is down, nobody is told of its queues. */
	int error = link_up(network);

	if (error)
		return error;
	for (int i = 0; i < PEER_NET_QUEUES; i++) {
		int ret = netdev_queue_is_free(network, i);

		if (ret)
			return ret < 0 ? ret : i;
	}
	return -EBUSY;
}

int devmem_bind(const struct importer *importer, int fd, size_t piece_size,
		struct netdev_binding *binding)
{
	const struct devmem *devmem = importer->data;
	int queue;

	if (!devmem->receives)
		return netdev_bind_tx(devmem->network, fd, binding);
	memset(binding, 0, sizeof(*binding));
	binding->socket = -1;
	queue = find_queue(devmem->network);
	return queue < 0 ? queue :
	       netdev_bind_rx(devmem->network, queue, piece_size, fd, binding);
}

static bool is_own(const char *network)
{
	return !strcmp(network, PEER_NET_NAME);
}

/*
 * What a device is asked that has nothing to lose by it. Whoever can send from
 * dma-bufs gets as far as the descriptor.
 */
static int ask(const struct devmem *devmem, size_t piece_size,
	       struct netdev_binding *binding)
{
	int ret = devmem->receives ?
		  netdev_bind_rx(devmem->network, 0, piece_size, NOT_A_FD,
				 binding) :
		  netdev_bind_tx(devmem->network, NOT_A_FD, binding);

	if (ret)
		return ret == -EBADF ? 0 : ret;
	netdev_unbind(binding);
	return -EPROTO;
}

static bool sends_from_buffers(const char *network)
{
	struct devmem devmem = { .receives = false };
	struct netdev_binding binding;

	snprintf(devmem.network, sizeof(devmem.network), "%s", network);
	return !ask(&devmem, 0, &binding);
}

/* Calls @tell for each network device of this machine's that sends from dma-bufs. */
static int for_each_network(void (*tell)(const char *network, void *context),
			    void *context)
{
	struct if_nameindex *all = if_nameindex();
	int found = 0;

	for (struct if_nameindex *entry = all; entry && entry->if_index; entry++) {
		if (is_own(entry->if_name) || !sends_from_buffers(entry->if_name))
			continue;
		found++;
		if (tell)
			tell(entry->if_name, context);
	}
	if (all)
		if_freenameindex(all);
	return found;
}

static const char *what_it_does(const struct devmem *devmem)
{
	return devmem->receives ? "receive into" : "send from";
}

static void explain_own(struct backend *backend, const struct devmem *devmem)
{
	const char *folder = getenv(PEER_MODULES_VARIABLE);
	char path[PATH_MAX];

	backend_reason(backend, "module " MODULE " is not loaded, which has a network device that takes dma-bufs: \"dmabuf-cts run\" loads it, or insmod does");
	snprintf(path, sizeof(path), "%s/" MODULE ".ko", folder ?: "");
	if (folder && access(path, R_OK))
		backend_reason(backend, "module " MODULE " is not built for kernel %s: its headers know no network device that receives into dma-bufs (PP_FLAG_ALLOW_UNREADABLE_NETMEM), or are not installed",
			       kernel_release());
	if (!devmem->receives && !for_each_network(NULL, NULL))
		backend_reason(backend, "no network device of this machine sends from dma-bufs, as some of mlx5, bnxt, gve and fbnic do");
}

static void explain_refusal(struct backend *backend,
			    const struct devmem *devmem, int error,
			    const char *why)
{
	const char *network = devmem->network;

	switch (error) {
	case -ENODEV:
		backend_reason(backend, "there is no network device \"%s\"",
			       network);
		break;
	case -ENOENT:
		backend_reason(backend, "kernel %s has no generic netlink family netdev",
			       kernel_release());
		break;
	case -EPERM:
	case -EACCES:
		backend_reason(backend, "no permission to bind a dma-buf to %s: run as root",
			       network);
		break;
	default:
		backend_reason(backend, "%s does not %s dma-bufs: %s", network,
			       what_it_does(devmem), *why ? why : errno_text(error));
	}
}

/* All that is missing; 0 if nothing is. */
static int look(struct backend *backend, const struct devmem *devmem)
{
	const char *network = devmem->network;
	struct netdev_binding binding;
	int ret = ask(devmem, 0, &binding);

	if (!ret)
		return 0;
	if (kernel_config(OPTION) == CONFIG_OFF)
		backend_reason(backend, "kernel %s has no " OPTION,
			       kernel_release());
	if (is_own(network) && !if_nametoindex(network))
		explain_own(backend, devmem);
	else
		explain_refusal(backend, devmem, ret, binding.why);
	return -ENODEV;
}

/* What a link in the device's folder leads to, or nothing. */
static const char *follow(const char *network, const char *link)
{
	static char target[PATH_MAX];
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "/sys/class/net/%s/%s", network, link);
	return realpath(path, target) ? strrchr(target, '/') + 1 : "";
}

static void describe(struct backend *backend, const char *network)
{
	snprintf(backend->device, sizeof(backend->device), "%.47s",
		 follow(network, "device"));
	if (is_own(network)) {
		backend_note(backend, "the kernel's own code, for a network device of the suite's own");
		return;
	}
	backend->evidence = EVIDENCE_HARDWARE;
	backend_note(backend, "for %s, whose driver is %s", network,
		     follow(network, "device/driver"));
}

/* Of a kernel that does not know them, EINVAL comes before the descriptor. */
static capability_set abilities(const struct devmem *devmem)
{
	struct netdev_binding binding;
	capability_set can = NEEDS(IMPORTER_DEVMEM);

	if (!devmem->receives)
		return can | NEEDS(IMPORTER_DEVMEM_TX);
	can |= NEEDS(IMPORTER_DEVMEM_RX);
	if (!ask(devmem, DEVMEM_LARGE_PIECE, &binding))
		can |= NEEDS(IMPORTER_DEVMEM_PIECES);
	return can;
}

static int open_devmem(struct importer *importer, const char *name)
{
	struct backend *backend = &importer->backend;
	char full[DIRECTION_SIZE + IF_NAMESIZE];
	struct devmem devmem;
	int ret = parse(name ?: SENDING, &devmem);

	if (ret) {
		backend_reason(backend, "there is no direction \"%s\": " SENDING ", and after \"@\" the name of a network device, or " RECEIVING,
			       name);
		return ret;
	}
	snprintf(full, sizeof(full), "%s", name ?: SENDING);
	backend_start(backend, "devmem", full);
	backend_set_driver(backend, "devmem");
	ret = look(backend, &devmem);
	if (ret)
		return ret;
	describe(backend, devmem.network);
	backend->capabilities = abilities(&devmem);
	importer->data = malloc(sizeof(devmem));
	if (!importer->data)
		return -ENOMEM;
	memcpy(importer->data, &devmem, sizeof(devmem));
	return 0;
}

static void close_devmem(struct importer *importer)
{
	free(importer->data);
	importer->data = NULL;
}

static int import_buffer(struct importer *importer, int fd, size_t offset,
			 size_t length, unsigned int access,
			 struct import *import)
{
	struct netdev_binding *binding = malloc(sizeof(*binding));
	int ret;

	(void)offset;		/* what is bound is the buffer, */
	(void)length;
	(void)access;		/* and its direction that of the binding */
	if (!binding)
		return -ENOMEM;
	ret = devmem_bind(importer, fd, 0, binding);
	if (ret) {
		free(binding);
		return ret;
	}
	import->handle = binding->id;
	import->data = binding;
	return 0;
}

static int release(struct import *import)
{
	netdev_unbind(import->data);
	free(import->data);
	import->data = NULL;
	return 0;
}

static int try_binding(struct importer *importer)
{
	struct backend *backend = &importer->backend;
	capability_set claims = NEEDS(IMPORTER_ATTACHES, IMPORTER_STATIC,
				      IMPORTER_MAPS);
	struct netdev_binding binding;
	struct trial_buffer buffer;
	int ret = trial_buffer_make(PEER_POLICY_STATIC, 0, &buffer);

	if (!ret) {
		ret = devmem_bind(importer, buffer.fd, 0, &binding);
		if (!ret) {
			claims = trial_buffer_claims(&buffer);
			netdev_unbind(&binding);
		}
		trial_buffer_drop(&buffer);
	}
	/* Not excused: what it claims to do, the tests shall judge. */
	if (ret && ret != TRIAL_NO_PEER)
		backend_note(backend, "a trial binding failed: %s",
			     errno_text(ret));
	backend->capabilities |= claims;
	return 0;
}

/*
 * How it attaches, and that it maps, a buffer on trial shows. For receiving it is
 * the same code that does so: by what holds of all importers, "tx" is judged, where
 * the kernel has that.
 */
static int learn(struct importer *importer)
{
	const struct devmem *devmem = importer->data;

	return devmem->receives ? 0 : try_binding(importer);
}

struct reporting {
	backend_report report;
	void *context;
};

static void report_network(const char *network, void *context)
{
	const struct reporting *reporting = context;
	char name[DIRECTION_SIZE + IF_NAMESIZE];

	snprintf(name, sizeof(name), SENDING "@%.15s", network);
	importer_report("devmem", name, reporting->report, reporting->context);
}

static void discover(backend_report report, void *context)
{
	struct reporting reporting = { report, context };

	importer_report("devmem", SENDING, report, context);
	importer_report("devmem", RECEIVING, report, context);
	for_each_network(report_network, &reporting);
}

const char *devmem_network(const struct importer *importer)
{
	const struct devmem *devmem = importer->data;

	return devmem->network;
}

struct netdev_binding *devmem_binding(const struct import *import)
{
	return import->data;
}

const struct importer_ops devmem_importer_ops = {
	.name = "devmem",
	.discover = discover,
	.open = open_devmem,
	.learn = learn,
	.close = close_devmem,
	.import = import_buffer,
	.release = release,
};

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memory of dma-bufs for network devices (net/core/devmem.c): a buffer is
 * bound to a device, and messages are sent from it. An instance is a direction,
 * of which there is "tx" as yet: alone for the suite's own network device, and
 * "tx@eth0" for one that is there. The code of the kernel that is judged is the
 * same. What is sent to another machine nobody here can read back, so nothing
 * that is about bytes is judged with it.
 */
#include "importer/devmem.h"

#include <errno.h>
#include <limits.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pair/errno_text.h"
#include "pair/kernel.h"
#include "peer/peer_open.h"
#include "peer/trial.h"

#define MODULE		"dmabuf_peer_net"
#define OPTION		"CONFIG_NET_DEVMEM"
#define DIRECTION	"tx"
#define NOT_A_FD	(-1)

/* "tx@eth0" */
static int parse(const char *name, char *network)
{
	const char *device;

	if (strncmp(name, DIRECTION, strlen(DIRECTION)))
		return -EINVAL;
	device = name + strlen(DIRECTION);
	if (*device && (*device != '@' || !device[1] ||
			strlen(device + 1) >= IF_NAMESIZE))
		return -EINVAL;
	strcpy(network, *device ? device + 1 : PEER_NET_NAME);
	return 0;
}

static bool is_own(const char *network)
{
	return !strcmp(network, PEER_NET_NAME);
}

/*
 * What a device is asked that has nothing to lose by it. Whoever can send from
 * dma-bufs gets as far as the descriptor.
 */
static int ask(const char *network, struct netdev_binding *binding)
{
	int ret = netdev_bind_tx(network, NOT_A_FD, binding);

	if (ret)
		return ret == -EBADF ? 0 : ret;
	netdev_unbind(binding);
	return -EPROTO;
}

static bool takes_buffers(const char *network)
{
	struct netdev_binding binding;

	return !ask(network, &binding);
}

/* Calls @tell for each network device of this machine's that takes dma-bufs. */
static int for_each_network(void (*tell)(const char *network, void *context),
			    void *context)
{
	struct if_nameindex *all = if_nameindex();
	int found = 0;

	for (struct if_nameindex *entry = all; entry && entry->if_index; entry++) {
		if (is_own(entry->if_name) || !takes_buffers(entry->if_name))
			continue;
		found++;
		if (tell)
			tell(entry->if_name, context);
	}
	if (all)
		if_freenameindex(all);
	return found;
}

static void explain_own(struct backend *backend)
{
	const char *folder = getenv(PEER_MODULES_VARIABLE);
	char path[PATH_MAX];

	backend_reason(backend, "module " MODULE " is not loaded, which has a network device that takes dma-bufs: \"dmabuf-cts run\" loads it, or insmod does");
	snprintf(path, sizeof(path), "%s/" MODULE ".ko", folder ?: "");
	if (folder && access(path, R_OK))
		backend_reason(backend, "module " MODULE " is not built for kernel %s: its headers know no network device that sends from dma-bufs (netmem_tx), or are not installed",
			       kernel_release());
	if (!for_each_network(NULL, NULL))
		backend_reason(backend, "no network device of this machine sends from dma-bufs, as some of mlx5, bnxt, gve and fbnic do");
}

static void explain_refusal(struct backend *backend, const char *network,
			    int error, const char *why)
{
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
		backend_reason(backend, "%s does not send from dma-bufs: %s",
			       network, *why ? why : errno_text(error));
	}
}

/* All that is missing; 0 if nothing is. */
static int look(struct backend *backend, const char *network)
{
	struct netdev_binding binding;
	int ret = ask(network, &binding);

	if (!ret)
		return 0;
	if (kernel_config(OPTION) == CONFIG_OFF)
		backend_reason(backend, "kernel %s has no " OPTION,
			       kernel_release());
	if (is_own(network) && !if_nametoindex(network))
		explain_own(backend);
	else
		explain_refusal(backend, network, ret, binding.why);
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

static int open_devmem(struct importer *importer, const char *name)
{
	struct backend *backend = &importer->backend;
	char network[IF_NAMESIZE], full[sizeof(DIRECTION) + IF_NAMESIZE];
	int ret = parse(name ?: DIRECTION, network);

	if (ret) {
		backend_reason(backend, "there is no direction \"%s\": " DIRECTION ", and after \"@\" the name of a network device",
			       name);
		return ret;
	}
	snprintf(full, sizeof(full), "%s", name ?: DIRECTION);
	backend_start(backend, "devmem", full);
	backend_set_driver(backend, "devmem");
	ret = look(backend, network);
	if (ret)
		return ret;
	describe(backend, network);
	backend->capabilities = NEEDS(IMPORTER_DEVMEM, IMPORTER_DEVMEM_TX);
	importer->data = strdup(network);
	return importer->data ? 0 : -ENOMEM;
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
	ret = netdev_bind_tx(importer->data, fd, binding);
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

/* How it attaches, and that it maps, a buffer on trial shows. */
static int learn(struct importer *importer)
{
	struct backend *backend = &importer->backend;
	capability_set claims = NEEDS(IMPORTER_ATTACHES, IMPORTER_STATIC,
				      IMPORTER_MAPS);
	struct netdev_binding binding;
	struct trial_buffer buffer;
	int ret = trial_buffer_make(PEER_POLICY_STATIC, 0, &buffer);

	if (!ret) {
		ret = netdev_bind_tx(importer->data, buffer.fd, &binding);
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

struct reporting {
	backend_report report;
	void *context;
};

static void report_network(const char *network, void *context)
{
	const struct reporting *reporting = context;
	char name[sizeof(DIRECTION) + IF_NAMESIZE];

	snprintf(name, sizeof(name), DIRECTION "@%.15s", network);
	importer_report("devmem", name, reporting->report, reporting->context);
}

static void discover(backend_report report, void *context)
{
	struct reporting reporting = { report, context };

	importer_report("devmem", DIRECTION, report, context);
	for_each_network(report_network, &reporting);
}

const char *devmem_network(const struct importer *importer)
{
	return importer->data;
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

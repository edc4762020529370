// SPDX-License-Identifier: GPL-2.0-only
/* Opens a peer's device node and makes sure both sides speak the same uapi. */
#include "peer/peer_open.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "pair/kernel.h"
#include "peer/kmod/uapi/dmabuf_peer.h"

static void explain_missing(struct backend *backend, const char *node,
			    const char *module)
{
	const char *folder = getenv(PEER_MODULES_VARIABLE);
	char path[512];

	if (kernel_module(module) == MODULE_LOADED) {
		backend_reason(backend, "module %s is loaded but there is no %s: is /dev a devtmpfs?",
			       module, node);
		return;
	}
	backend_reason(backend, "no device node %s", node);
	backend_reason(backend, "module %s is not loaded: \"dmabuf-cts run\" loads it, or insmod does",
		       module);
	if (!folder)
		return;
	snprintf(path, sizeof(path), "%s/%s.ko", folder, module);
	if (access(path, R_OK))
		backend_reason(backend, "module %s is not built for kernel %s: install the kernel's headers, then make modules",
			       module, kernel_release());
}

static void explain(struct backend *backend, const char *node,
		    const char *module, int error)
{
	if (error == ENOENT || error == ENXIO || error == ENODEV)
		explain_missing(backend, node, module);
	else if (error == EACCES || error == EPERM)
		backend_reason(backend, "no permission to open %s: run as root", node);
	else
		backend_reason(backend, "cannot open %s: %s", node, strerror(error));
	if (geteuid() && error == ENOENT)
		backend_reason(backend, "not root: the peers can be loaded and opened by root only");
}

/* The module answers with its own version also where it refuses ours. */
static int match_version(struct backend *backend, int fd, const char *module)
{
	struct peer_version version = { .version = PEER_UAPI_VERSION };
	int error = ioctl(fd, PEER_IOC_VERSION, &version) ? errno : 0;

	if (version.version != PEER_UAPI_VERSION)
		backend_reason(backend, "module %s speaks peer uapi version %u, this program version %u: build both from the same checkout, unload the module and load the new one",
			       module, version.version, PEER_UAPI_VERSION);
	else if (error)
		backend_reason(backend, "module %s refuses peer uapi version %u: %s",
			       module, PEER_UAPI_VERSION, strerror(error));
	else
		return 0;
	return -EPROTO;
}

int peer_open(struct backend *backend, const char *node, const char *module)
{
	int fd, ret;

	backend->ours = true;
	backend_set_driver(backend, module);
	fd = open(node, O_RDWR | O_CLOEXEC);
	if (fd < 0) {
		ret = errno == EACCES || errno == EPERM ? -EACCES : -ENODEV;
		explain(backend, node, module, errno);
		return ret;
	}
	ret = match_version(backend, fd, module);
	if (ret) {
		close(fd);
		return ret;
	}
	return fd;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/* Opens a peer's device node and makes sure both sides speak the same uapi. */
#ifndef CTS_PEER_OPEN_H
#define CTS_PEER_OPEN_H

#include "pair/backend.h"

/* Folder with the peer modules built for the running kernel, for reasons. */
#define PEER_MODULES_VARIABLE	"DMABUF_CTS_PEER_MODULES"

/**
 * peer_open - open a peer and match versions with it
 * @backend: gets driver and version, and all reasons if it is absent
 * @node: PEER_EXPORTER_NODE or PEER_IMPORTER_NODE
 * @module: name of the kernel module behind it
 *
 * Return: the file descriptor; -ENODEV, -EACCES or -EPROTO with reasons in
 * @backend.
 */
int peer_open(struct backend *backend, const char *node, const char *module);

#endif

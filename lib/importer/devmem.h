/* SPDX-License-Identifier: GPL-2.0-only */
/* What tests must know of a dma-buf that is bound to a network device. */
#ifndef CTS_IMPORTER_DEVMEM_H
#define CTS_IMPORTER_DEVMEM_H

#include "importer/importer.h"
#include "importer/netdev.h"

#define DEVMEM_LARGE_PIECE	8192

/**
 * devmem_bind - what an import does, in pieces of a certain size
 * @importer: of this kind
 * @fd: the dma-buf
 * @piece_size: in bytes, a power of two; 0 for pages, and for sending
 * @binding: filled; give it back with netdev_unbind()
 *
 * Return: as of netdev_bind_tx() and netdev_bind_rx(), or -EBUSY if all queues
 * have memory of others.
 */
int devmem_bind(const struct importer *importer, int fd, size_t piece_size,
		struct netdev_binding *binding);

/**
 * devmem_network - the network device of an importer of this kind
 *
 * Return: its name, as long as the importer is open.
 */
const char *devmem_network(const struct importer *importer);

/**
 * devmem_binding - the binding that an import is
 */
struct netdev_binding *devmem_binding(const struct import *import);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* What tests must know of a dma-buf that is bound to a network device. */
#ifndef CTS_IMPORTER_DEVMEM_H
#define CTS_IMPORTER_DEVMEM_H

#include "importer/importer.h"
#include "importer/netdev.h"

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

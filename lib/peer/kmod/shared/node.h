/* SPDX-License-Identifier: GPL-2.0-only */
/* A peer as a module: its device node and the files that are open on it. */
#ifndef PEER_NODE_H
#define PEER_NODE_H

#include "shared/ioctl.h"

/**
 * struct peer_node - what one module is, other than the rest
 * @ioctls: what its node understands, besides the version
 * @rows: of that table
 * @file_size: of the state of an open file, which begins with a peer_file
 * @close: ends what an open file has; no ioctl runs on it any more
 * @init: before the node is there, or NULL; returns 0 or an error
 * @exit: undoes @init when the node is gone, or NULL
 */
struct peer_node {
	const struct peer_ioctl *ioctls;
	size_t rows;
	size_t file_size;
	void (*close)(struct peer_file *file);
	int (*init)(void);
	void (*exit)(void);
};

/* That of the module that this is compiled for; its node has the module's name. */
extern const struct peer_node peer_node;

#endif

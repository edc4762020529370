/* SPDX-License-Identifier: GPL-2.0-only */
/* Random arguments for the peers' ioctls, mostly nearly right. */
#ifndef GARBAGE_ARGUMENTS_H
#define GARBAGE_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "peer/kmod/uapi/dmabuf_peer.h"
#include "peer/kmod/uapi/dmabuf_peer_space.h"
#include "random.h"

union argument {
	struct peer_version version;
	struct peer_buffer_create create;
	struct peer_handle handle;
	struct peer_fail fail;
	struct peer_move move;
	struct peer_notify notify;
	struct peer_storm storm;
	struct peer_walk walk;
	struct peer_fence fence;
	struct peer_storage storage;
	struct peer_exporter_stat exporter_stat;
	struct peer_events events;
	struct peer_bad_export bad;
	struct peer_attach attach;
	struct peer_map map;
	struct peer_unmap unmap;
	struct peer_table table;
	struct peer_transfer transfer;
	struct peer_react react;
	struct peer_importer_stat importer_stat;
	struct peer_vmap vmap;
	struct peer_import import;
	struct peer_umem_register umem_register;
	struct peer_umem_map umem_map;
	struct peer_umem_stat umem_stat;
	struct peer_umem_info info;
	struct peer_space_join join;
	struct peer_space_leave leave;
	struct peer_space_look look;
	struct peer_space_access access;
	uint8_t bytes[256];
};

/* What arguments may refer to. */
struct surroundings {
	const int *buffers;	/* fds, most of them of dma-bufs */
	unsigned int buffer_count;
	char *area;		/* two pages; the second is read-only */
	unsigned int page_size;
	bool silent;		/* attach without notify: warns on 6.x */
	int iommu;		/* fd of /dev/iommu, or -1 */
	uint32_t space;		/* an address space there */
	uint64_t mapped;	/* an address in it */
};

extern struct surroundings surroundings;

struct row {
	unsigned long command;
	const char *name;
	void (*make)(struct random *random, union argument *argument);
	unsigned int weight;
	bool never;		/* need not succeed: not here, or not on each kernel */
	bool iommu;		/* need not succeed without /dev/iommu */
};

extern const struct row rows[];
extern const unsigned int row_count;

/**
 * make_argument - fill an argument
 * @random: where the numbers come from
 * @row: the ioctl
 * @argument: all zero
 *
 * What would make the kernel warn because the core does is left out.
 */
void make_argument(struct random *random, const struct row *row,
		   union argument *argument);

/**
 * any_pointer - a pointer to pass: good, read-only, NULL or nonsense
 */
uint64_t any_pointer(struct random *random);

/**
 * any_buffer - one of the fds, or -1
 */
int any_buffer(struct random *random);

#endif

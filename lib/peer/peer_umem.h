/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The suite's own importer through RDMA core, in single steps: register, map,
 * transfer, unmap, revoke, deregister. Every call returns 0 or a negative
 * errno, and works on an importer of the back end "umem" only (-EOPNOTSUPP
 * else).
 */
#ifndef CTS_PEER_UMEM_H
#define CTS_PEER_UMEM_H

#include <stddef.h>
#include <stdint.h>

#include "importer/importer.h"
#include "peer/kmod/uapi/dmabuf_peer.h"

struct umem_options {
	size_t offset;			/* of the region in the buffer, bytes */
	size_t length;			/* bytes; 0 is handed on as it is */
	unsigned int flags;		/* PEER_UMEM_* */
	enum peer_device device;	/* that does the DMA, unless an RDMA
					 * device was named
					 */
	int error;			/* negative: fail so at the end, as if
					 * hardware had refused
					 */
};

struct umem_region {
	struct importer *importer;
	uint32_t handle;
	size_t length;
	enum peer_lock handed_over;	/* the reservation, when RDMA core returned */
};

/**
 * umem_mode - how this importer registers
 *
 * Return: the mode, or PEER_UMEM_MODE_COUNT if it is no importer through umem.
 */
enum peer_umem_mode umem_mode(const struct importer *importer);

/**
 * umem_register - register a part of a dma-buf, as an RDMA driver does
 * @importer: an open importer
 * @fd: the dma-buf
 * @options: which part, and how
 * @region: filled; give it back with umem_deregister()
 *
 * A dynamic region is mapped, unless @options say otherwise.
 */
int umem_register(struct importer *importer, int fd,
		  const struct umem_options *options,
		  struct umem_region *region);
int umem_deregister(struct umem_region *region);

/**
 * umem_map - map if it is not mapped, wait for the content, make the key live
 * @region: the region
 * @map: filled with what the device is told; may be NULL
 */
int umem_map(struct umem_region *region, struct peer_umem_map *map);

/**
 * umem_unmap - suspend the key and unmap; again does nothing
 */
int umem_unmap(struct umem_region *region);

/**
 * umem_revoke - the driver's own revoke
 *
 * Return: 0, or -EOPNOTSUPP where RDMA core has none.
 */
int umem_revoke(struct umem_region *region);

/**
 * umem_table - what the device was told at the last map
 * @region: the region
 * @entries: room for @capacity
 * @capacity: entries, at most PEER_TABLE_ENTRIES_MAX
 *
 * Return: the number of entries written.
 */
int umem_table(struct umem_region *region, struct peer_table_entry *entries,
	       unsigned int capacity);

/**
 * umem_write, umem_read - move bytes through the region's key;
 * umem_write_slowly - with a pause after each page
 * @region: the region
 * @offset: bytes from its start
 * @data: the bytes
 * @length: how many, at most PEER_TRANSFER_MAX
 *
 * Return: 0, -EAGAIN if the key is suspended, -EKEYREVOKED if it is dead,
 * -EFAULT at an untranslated address, or another negative errno.
 */
int umem_write(struct umem_region *region, size_t offset, const void *data,
	       size_t length);
int umem_read(struct umem_region *region, size_t offset, void *data,
	      size_t length);
int umem_write_slowly(struct umem_region *region, size_t offset,
		      const void *data, size_t length);

/**
 * umem_stat - what became of a region
 */
int umem_stat(struct umem_region *region, struct peer_umem_stat *stat);

/**
 * umem_events - take the events of a region since the last call
 *
 * Return: how many, -EOVERFLOW if some were lost, or another negative errno.
 */
int umem_events(struct umem_region *region, struct peer_event *events,
		unsigned int capacity);

/**
 * umem_info - what RDMA core has, and what this importer was told altogether
 */
int umem_info(struct importer *importer, struct peer_umem_info *info);

#endif

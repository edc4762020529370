/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory of an RDMA device, and its export by RDMA core: UVERBS_OBJECT_DMABUF,
 * which the headers of older distributions do not have. How a driver gives
 * memory that the CPU can map is its own matter.
 */
#ifndef CTS_UVERBS_AREA_H
#define CTS_UVERBS_AREA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exporter/exporter.h"
#include "importer/rdma_device.h"
#include "importer/uverbs.h"

/* Memory of a device, in the space that its node maps. */
struct uverbs_area {
	struct uverbs_area *next;	/* for whoever keeps some */
	uint32_t handle;	/* of the driver's object */
	uint64_t offset;	/* in that space */
	size_t size;
	uint8_t *bytes;		/* where the CPU has it, or NULL */
	bool live;		/* the driver has not taken it back */
};

/**
 * uverbs_area_known - whether the suite knows how a driver gives memory
 * @driver: "dmabuf_peer_rdma"
 */
bool uverbs_area_known(const char *driver);

/**
 * uverbs_area_new - take memory, and map it for the CPU
 * @uverbs: a node with a context, of a driver that is known
 * @size: bytes, a multiple of the page size
 * @area: filled; give it back with uverbs_area_drop()
 *
 * Return: 0 or a negative errno.
 */
int uverbs_area_new(const struct uverbs *uverbs, size_t size,
		    struct uverbs_area *area);

/**
 * uverbs_area_end - have the driver take it back; again does nothing
 *
 * RDMA core revokes what was exported of it, and waits until nobody uses it.
 *
 * Return: 0 or a negative errno.
 */
int uverbs_area_end(const struct uverbs *uverbs, struct uverbs_area *area);

/**
 * uverbs_area_drop - the same, and unmap it
 */
void uverbs_area_drop(const struct uverbs *uverbs, struct uverbs_area *area);

/**
 * uverbs_export - UVERBS_METHOD_DMABUF_ALLOC
 * @uverbs: a node
 * @offset: in the space that it maps
 *
 * Return: the dma-buf, or a negative errno: EPROTONOSUPPORT where the kernel or
 * the driver has no such call.
 */
int uverbs_export(const struct uverbs *uverbs, uint64_t offset);

/**
 * uverbs_export_unanswered - the same call, which cannot write its answer back
 *
 * Return: as uverbs_call_unanswered().
 */
int uverbs_export_unanswered(const struct uverbs *uverbs, uint64_t offset);

/**
 * uverbs_of - the node of an exporter that is this back end's
 *
 * Return: the node, with a context; NULL for other back ends.
 */
const struct uverbs *uverbs_of(const struct exporter *exporter);

/**
 * uverbs_area_of - what a buffer of this back end lies in
 */
struct uverbs_area *uverbs_area_of(const struct buffer *buffer);

#endif

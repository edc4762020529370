// SPDX-License-Identifier: GPL-2.0-only
/*
 * Exports that the core must refuse (EXP-01, EXP-02, EXP-03). It warns as well
 * where it does; that is what the caller asks for.
 */
#include <linux/dma-buf.h>
#include <linux/err.h>
#include <linux/module.h>

#include "exporter/exporter.h"

static struct sg_table *bad_map(struct dma_buf_attachment *core,
				enum dma_data_direction direction)
{
	return ERR_PTR(-ENODEV);
}

static void bad_unmap(struct dma_buf_attachment *core, struct sg_table *table,
		      enum dma_data_direction direction)
{
}

static void bad_release(struct dma_buf *dmabuf)
{
}

static int bad_pin(struct dma_buf_attachment *core)
{
	return -ENODEV;
}

static void bad_unpin(struct dma_buf_attachment *core)
{
}

#define WHOLE					\
	.map_dma_buf = bad_map,			\
	.unmap_dma_buf = bad_unmap,		\
	.release = bad_release

static const struct dma_buf_ops bad_ops[PEER_BAD_COUNT] = {
	[PEER_BAD_PRIV] = { WHOLE },
	[PEER_BAD_MAP] = {
		.unmap_dma_buf = bad_unmap,
		.release = bad_release,
	},
	[PEER_BAD_UNMAP] = {
		.map_dma_buf = bad_map,
		.release = bad_release,
	},
	[PEER_BAD_RELEASE] = {
		.map_dma_buf = bad_map,
		.unmap_dma_buf = bad_unmap,
	},
	[PEER_BAD_PIN] = { WHOLE, .unpin = bad_unpin },
	[PEER_BAD_UNPIN] = { WHOLE, .pin = bad_pin },
#ifdef HAVE_CACHE_SGT_MAPPING
	[PEER_BAD_CACHED] = {
		WHOLE,
		.pin = bad_pin,
		.unpin = bad_unpin,
		.cache_sgt_mapping = true,
	},
#endif
};

static bool can_ask(u32 what)
{
#ifndef HAVE_CACHE_SGT_MAPPING
	if (what == PEER_BAD_CACHED)
		return false;
#endif
	return true;
}

int ioctl_bad(struct peer_file *file, void *argument, void __user *user)
{
	const struct peer_bad_export *request = argument;
	DEFINE_DMA_BUF_EXPORT_INFO(info);
	struct dma_buf *dmabuf;

	if (!request->what || request->what >= PEER_BAD_COUNT ||
	    request->reserved)
		return -EINVAL;
	if (!can_ask(request->what))
		return -ENOTTY;
	info.exp_name = "dmabuf_peer_bad";
	info.size = PAGE_SIZE;
	info.flags = O_RDWR;
	info.ops = request->what == PEER_BAD_OPS ? NULL : &bad_ops[request->what];
	info.priv = request->what == PEER_BAD_PRIV ? NULL : file;
	dmabuf = dma_buf_export(&info);
	if (IS_ERR(dmabuf))
		return peer_fault(bad_export_accepted) ? 0 : PTR_ERR(dmabuf);
	dma_buf_put(dmabuf);
	return 0;
}

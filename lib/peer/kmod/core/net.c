// SPDX-License-Identifier: GPL-2.0-only
/* Faults of net/core, where it binds dma-bufs to network devices. */
#include <linux/dma-direction.h>
#include <linux/err.h>
#include <linux/file.h>
#include <net/genetlink.h>

#include "core/alter.h"

#define BIND	"net_devmem_bind_dmabuf"
#define UNMAP	"dma_buf_unmap_attachment_unlocked"

/* net_devmem_bind_dmabuf(dev, vdev, dma_dev, direction, fd, niov_shift ...) */
static void map_both_ways(struct altered_call *call)
{
	call->argument[3] = DMA_BIDIRECTIONAL;
}

static void want_large_pieces(struct altered_call *call)
{
	call->argument[5] = 20;
}

static void cut_into_pages(struct altered_call *call)
{
	if (call->argument[3] == DMA_FROM_DEVICE)
		call->argument[5] = PAGE_SHIFT;
}

static void note_fd(struct altered_call *call)
{
	call->note[0] = call->argument[4];
}

static void keep_what_failed(struct altered_call *call)
{
	if (IS_ERR_VALUE(call->result))
		fget(call->note[0]);
}

/* dma_buf_unmap_attachment_unlocked(attachment, table, direction) */
static void unmap_both_ways(struct altered_call *call)
{
	call->argument[2] = DMA_BIDIRECTIONAL;
}

/* netdev_nl_bind_tx_doit(request, info) */
static void note_info(struct altered_call *call)
{
	call->note[0] = call->argument[1];
}

static void say_nothing(struct altered_call *call)
{
	struct genl_info *info = (void *)call->note[0];

	if (call->result && info->extack)
		info->extack->_msg = NULL;
}

static const struct alteration rows[] = {
	REPLACE(devmem_says_eperm, BIND, -EINVAL, -EPERM),
	REPLACE(devmem_hides_refusal, BIND, -EOPNOTSUPP, -EINVAL),
	REPLACE(devmem_masks_error, BIND, -EREMOTEIO, -EINVAL),
	ALTER(devmem_keeps_failed, BIND, note_fd, keep_what_failed),
	ALTER(devmem_maps_both_ways, BIND, map_both_ways, NULL),
	ALTER(devmem_wants_large_pieces, BIND, want_large_pieces, NULL),
	ALTER(devmem_ignores_piece_size, BIND, cut_into_pages, NULL),
	ALTER(devmem_unmaps_both_ways, UNMAP, unmap_both_ways, NULL),
	SKIP(devmem_never_unmaps, UNMAP),
	ALTER(devmem_says_nothing, "netdev_nl_bind_tx_doit", note_info, say_nothing),
	SKIP(devmem_outlives_socket, "netdev_nl_sock_priv_destroy"),
	SKIP(devmem_forgets_flight, "net_devmem_get_net_iov"),
	SKIP(devmem_forgets_flight, "net_devmem_put_net_iov"),
};

const struct alteration_list net_alterations = { rows, ARRAY_SIZE(rows) };

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between the kernels that the peers build for. The HAVE_ macros
 * come from probe.sh.
 */
#ifndef PEER_COMPAT_H
#define PEER_COMPAT_H

#include <linux/dma-buf.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>

#ifdef HAVE_NAMESPACE_STRING
#define PEER_IMPORT_NS()	MODULE_IMPORT_NS("DMA_BUF")
#else
#define PEER_IMPORT_NS()	MODULE_IMPORT_NS(DMA_BUF)
#endif

#ifdef HAVE_INVALIDATE_MAPPINGS
#define peer_notify_op		invalidate_mappings
#define peer_notify_all(dmabuf)	dma_buf_invalidate_mappings(dmabuf)
#else
#define peer_notify_op		move_notify
#define peer_notify_all(dmabuf)	dma_buf_move_notify(dmabuf)
#endif

/* Whether map pins on behalf of importers that have operations. */
#if !defined(HAVE_INVALIDATE_MAPPINGS) && !IS_ENABLED(CONFIG_DMABUF_MOVE_NOTIFY)
#define PEER_MAP_PINS_DYNAMIC	true
#else
#define PEER_MAP_PINS_DYNAMIC	false
#endif

static inline bool peer_notifiable(const struct dma_buf_attachment *attach)
{
	return attach->importer_ops && attach->importer_ops->peer_notify_op;
}

static inline bool peer_revocable(struct dma_buf_attachment *attach)
{
#ifdef HAVE_ATTACH_REVOCABLE
	return dma_buf_attach_revocable(attach);
#else
	return peer_notifiable(attach);
#endif
}

static inline void peer_fd_install(struct dma_buf *dmabuf, int fd)
{
#ifdef HAVE_FD_INSTALL
	dma_buf_fd_install(dmabuf, fd);
#else
	fd_install(fd, dmabuf->file);
#endif
}

static inline void peer_vm_flags_set(struct vm_area_struct *vma,
				     unsigned long flags)
{
#ifdef HAVE_VM_FLAGS_SET
	vm_flags_set(vma, flags);
#else
	vma->vm_flags |= flags;
#endif
}

#ifdef HAVE_VMAP_UNLOCKED
#define peer_vmap(dmabuf, map)		dma_buf_vmap_unlocked(dmabuf, map)
#define peer_vunmap(dmabuf, map)	dma_buf_vunmap_unlocked(dmabuf, map)
#else
#define peer_vmap(dmabuf, map)		dma_buf_vmap(dmabuf, map)
#define peer_vunmap(dmabuf, map)	dma_buf_vunmap(dmabuf, map)
#endif

#endif

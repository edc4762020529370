#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# probe.sh SOURCE_TREE: prints a -DHAVE_... for each feature of the dma-buf API
# that the kernel headers below SOURCE_TREE/include declare. Distributions
# backport, so version numbers say little. A script of its own, because make's
# shell function takes no unbalanced parenthesis.

headers=$1/include/linux

# have NAME HEADER PATTERN
have() {
	if grep -qs "$3" "$headers/$2"; then
		echo "-DHAVE_$1"
	fi
}

have INVALIDATE_MAPPINGS dma-buf.h 'dma_buf_invalidate_mappings('
have ATTACH_REVOCABLE dma-buf.h 'dma_buf_attach_revocable('
have FD_INSTALL dma-buf.h 'dma_buf_fd_install('
have VMAP_UNLOCKED dma-buf.h 'dma_buf_vmap_unlocked('
have CACHE_SGT_MAPPING dma-buf.h 'cache_sgt_mapping;'
# A mutex of the buffer's own: the locking convention of 6.2 is not there yet.
have BUFFER_MUTEX dma-buf.h 'struct mutex lock;'
have NAMESPACE_STRING module.h 'MODULE_INFO(import_ns, ns)'
have VM_FLAGS_SET mm.h 'vm_flags_set('
# RDMA core's regions that a driver can revoke, and an exporter.
have UMEM_REVOKE ../rdma/ib_umem.h 'ib_umem_dmabuf_revoke('
have UMEM_REVOCABLE ../rdma/ib_umem.h 'ib_umem_dmabuf_set_revoke_locked('
# RDMA core's export of what a driver lets user space map.
have UVERBS_DMABUF ../rdma/ib_verbs.h 'mmap_get_pfns)('
# Network devices that send what lies in dma-bufs.
have NETMEM_TX netdevice.h 'netmem_tx:'
have NETMEM_TX_MODE netdevice.h 'NETMEM_TX_DMA,'
# Network devices that receive into them, into pieces larger than a page, and
# that must say that they keep headers apart.
have UNREADABLE_NETMEM ../net/page_pool/types.h 'PP_FLAG_ALLOW_UNREADABLE_NETMEM'
have QUEUE_PAGE_SIZE ../net/netdev_queues.h 'QCFG_RX_PAGE_SIZE'
have NETDEV_HDS ../net/netdev_queues.h 'hds_config;'

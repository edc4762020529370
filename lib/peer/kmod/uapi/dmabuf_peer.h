/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * User space interface of the instrumented peers: dmabuf_peer_exporter.ko
 * (/dev/dmabuf_peer_exporter), dmabuf_peer_importer.ko
 * (/dev/dmabuf_peer_importer) and dmabuf_peer_umem.ko
 * (/dev/dmabuf_peer_umem), which imports through RDMA core. dmabuf_peer_net.ko
 * has no node: it has a network device, which others make use of.
 *
 * The first ioctl on a fresh file must be PEER_IOC_VERSION with the number
 * this header carries. Until it has matched, every other ioctl fails with
 * EPROTO, so that a program and a module of different ages cannot talk past
 * each other.
 *
 * Rules for every ioctl: unknown flags or enumerators, and reserved fields
 * that are not zero, give EINVAL; an unknown handle gives ENOENT; an unknown
 * command ENOTTY; a bad pointer EFAULT. Handles belong to the open file that
 * made them and go with it. Offsets, lengths and sizes are in bytes, times
 * in nanoseconds of CLOCK_MONOTONIC unless a name ends in _ms.
 */
#ifndef DMABUF_PEER_H
#define DMABUF_PEER_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define PEER_UAPI_VERSION	5

#define PEER_EXPORTER_NODE	"/dev/dmabuf_peer_exporter"
#define PEER_IMPORTER_NODE	"/dev/dmabuf_peer_importer"
#define PEER_UMEM_NODE		"/dev/dmabuf_peer_umem"
#define PEER_NET_NAME		"dmabuf_peer"	/* of the network device */
#define PEER_NET_QUEUES		8		/* it has for what it receives */

/* Bounds that both sides know. */
#define PEER_BUFFER_SIZE_MAX	(64u << 20)
#define PEER_REPEATED_SIZE_MAX	(8ull << 30)
#define PEER_TIMEOUT_MS_MAX	10000
#define PEER_EVENTS_MAX		4096
#define PEER_TABLE_ENTRIES_MAX	65536
#define PEER_TRANSFER_MAX	(1u << 20)
#define PEER_FENCES_MAX		4096	/* ever added through one handle; then EBUSY */
#define PEER_MAPS_MAX		4096	/* alive in one attachment; then ENOSPC */
#define PEER_PINS_MAX		65536	/* held by one attachment; then ENOSPC */
#define PEER_SLOW_MS		100

struct peer_version {
	__u32 version;		/* in: PEER_UAPI_VERSION; out: the module's */
	__u32 flags;		/* out: PEER_VERSION_* */
};

#define PEER_VERSION_HAS_FAULTS	(1u << 0)	/* built with mutants compiled in */

/* ---- events: what the other side did, in order --------------------- */

enum peer_call {
	PEER_CALL_ATTACH = 1,
	PEER_CALL_DETACH,
	PEER_CALL_PIN,
	PEER_CALL_UNPIN,
	PEER_CALL_MAP,
	PEER_CALL_UNMAP,
	PEER_CALL_NOTIFY,		/* exporter: before it calls; importer: callback ran */
	PEER_CALL_MOVE_BEGIN,		/* exporter: storage is about to move */
	PEER_CALL_MOVE_END,		/* exporter: new storage is current, old one poisoned */
	PEER_CALL_REVOKE,
	PEER_CALL_RELEASE,
	PEER_CALL_BEGIN_CPU,
	PEER_CALL_END_CPU,
	PEER_CALL_MMAP,
	PEER_CALL_VMAP,
	PEER_CALL_VUNMAP,
	PEER_CALL_FENCE_WAIT,		/* exporter: fences retired (or wait failed) */
	PEER_CALL_FENCE_SIGNAL,
	PEER_CALL_COUNT
};

/* Who owned the reservation lock when the call came. */
enum peer_lock {
	PEER_LOCK_FREE = 0,
	PEER_LOCK_CALLER,		/* the calling task owns it */
	PEER_LOCK_OTHER,		/* locked, but by another task */
};

enum peer_direction {		/* values of enum dma_data_direction */
	PEER_BIDIRECTIONAL = 0,
	PEER_TO_DEVICE = 1,
	PEER_FROM_DEVICE = 2,
	PEER_NONE = 3,
};

#define PEER_EVENT_ATOMIC	(1u << 0)	/* called where sleeping is forbidden */
#define PEER_EVENT_IMPLICIT	(1u << 1)	/* pin/unpin by the dma-buf core, not by the importer */
#define PEER_EVENT_MAPPED	(1u << 2)	/* the attachment had a live mapping */
#define PEER_EVENT_PINNED	(1u << 3)	/* the attachment (importer) or buffer (exporter) was pinned */
#define PEER_EVENT_P2P		(1u << 4)	/* attach->peer2peer was set */
#define PEER_EVENT_DYNAMIC	(1u << 5)	/* attach->importer_ops was set */
#define PEER_EVENT_NOTIFIABLE	(1u << 6)	/* ... and has a notify callback */
#define PEER_EVENT_TABLE_CHANGED (1u << 7)	/* unmap: entries differ from what map returned */
#define PEER_EVENT_TABLE_FOREIGN (1u << 8)	/* unmap: a table this attachment never got */
#define PEER_EVENT_DIRECTION_CHANGED (1u << 9)	/* unmap: another direction than map */
#define PEER_EVENT_PUT_SEEN	(1u << 10)	/* release: the last reference went by dma_buf_put() */
#define PEER_EVENT_PUT_LOCKED	(1u << 11)	/* ... by a task that owned the reservation */

struct peer_event {
	__u64 time_ns;
	__u32 sequence;		/* from 1, one counter for both modules' own files each */
	__u32 call;		/* enum peer_call */
	__u32 attachment;	/* exporter: from 1 in order of attach; importer: its handle; 0: none */
	__u32 lock;		/* enum peer_lock */
	__u32 direction;	/* enum peer_direction, for map, unmap and CPU access */
	__u32 flags;		/* PEER_EVENT_* */
	__s32 result;		/* errno (negative) the call returned, or 0 */
	__u32 placement;	/* exporter: enum peer_placement after the call */
	__u32 pins;		/* pins held after the call: of the buffer, or of the attachment */
	__u32 maps;		/* mappings alive after the call */
	__s32 task;		/* thread id of the caller */
	__u32 reserved;
};

struct peer_events {
	__u32 handle;
	__u32 capacity;		/* in: entries that fit at .entries, at most PEER_EVENTS_MAX */
	__u64 entries;		/* in: pointer to struct peer_event[capacity] */
	__u32 count;		/* out: entries written; they are consumed */
	__u32 lost;		/* out: entries dropped because the log was full */
	__u64 reserved;
};

/* ---- exporter -------------------------------------------------------- */

enum peer_policy {
	PEER_POLICY_STATIC = 0,	/* no pin operation, storage never moves */
	PEER_POLICY_DYNAMIC,	/* pins where the storage is, moves when unpinned */
	PEER_POLICY_MIGRATE,	/* pin moves the storage to system memory first */
	PEER_POLICY_REFUSE_PIN,	/* has a pin operation that always fails with EOPNOTSUPP */
	PEER_POLICY_REVOCABLE,	/* dynamic; refuses importers without notify; can be revoked */
	PEER_POLICY_COUNT
};

/*
 * Places the storage can be in. Each has pages of its own. DEVICE stands for
 * memory behind a bus: only attachments with peer2peer reach it, and its
 * tables carry no pages.
 */
enum peer_placement {
	PEER_PLACE_SYSTEM = 0,	/* scattered pages */
	PEER_PLACE_OTHER,	/* other scattered pages, also reachable by all */
	PEER_PLACE_DEVICE,	/* reachable by peer2peer attachments only */
	PEER_PLACE_COUNT
};

/* Byte that fills a place once the storage has left it. */
#define PEER_POISON		0xdb

/* How map lays out the table. All are legal. */
enum peer_shape {
	PEER_SHAPE_MERGED = 0,	/* neighbouring pages share an entry */
	PEER_SHAPE_PAGES,	/* one entry a page; chained when long */
	PEER_SHAPE_SPLIT,	/* entries end at odd page counts: 1, 2, 3, 1 ... */
	PEER_SHAPE_PAGELESS,	/* no CPU side: page NULL, orig_nents 0 */
	PEER_SHAPE_COUNT
};

#define PEER_BUFFER_READ_ONLY	(1u << 0)	/* export O_RDONLY instead of O_RDWR */
#define PEER_BUFFER_NO_CLOEXEC	(1u << 1)
#define PEER_BUFFER_NO_MMAP	(1u << 2)	/* leave the mmap operation out */
#define PEER_BUFFER_SHORT	(1u << 3)	/* tables lack the last page of two or more:
						 * breaks the contract on purpose
						 */
#define PEER_BUFFER_REPEATED	(1u << 4)	/* each byte is found again PEER_REPEAT_BYTES
						 * further on: larger than its memory, and
						 * of the shape MERGED alone
						 */
#define PEER_BUFFER_CONTIGUOUS	(1u << 5)	/* each place is in one piece; at most
						 * PEER_CONTIGUOUS_SIZE_MAX, and not
						 * REPEATED
						 */
/* These, too, break the contract on purpose: */
#define PEER_BUFFER_LONG	(1u << 6)	/* tables have a page more, the first once again */
#define PEER_BUFFER_MISALIGNED	(1u << 7)	/* their first entry ends within a page */
#define PEER_BUFFER_RAGGED	(1u << 8)	/* the dma-buf has PEER_RAGGED_BYTES less than
						 * its pages have
						 */
#define PEER_BUFFER_OWN_RESV	(1u << 9)	/* the reservation is the dma-buf's own and not lent
						 * to it: it cannot be moved, told, fenced or
						 * revoked (EOPNOTSUPP)
						 */
#define PEER_RAGGED_BYTES	512
#define PEER_CONTIGUOUS_SIZE_MAX	(4u << 20)
/* In pieces of 2 MiB, of which no list of pages has a multiple; entries end within these. */
#define PEER_REPEAT_BYTES	(14u << 20)

struct peer_buffer_create {
	__u64 size;		/* in: bytes, multiple of the page size, not 0 */
	__u32 policy;		/* in: enum peer_policy */
	__u32 placement;	/* in: enum peer_placement to start in */
	__u32 shape;		/* in: enum peer_shape */
	__u32 flags;		/* in: PEER_BUFFER_* */
	__u32 handle;		/* out */
	__s32 fd;		/* out: the dma-buf */
	__u64 reserved;
};

struct peer_handle {
	__u32 handle;
	__u32 reserved;
};

enum peer_failure {		/* what to fail */
	PEER_FAIL_ATTACH = 1,
	PEER_FAIL_PIN,
	PEER_FAIL_MAP,
	PEER_FAIL_MAP_NULL,	/* map returns NULL instead of an error pointer */
	PEER_FAIL_BEGIN_CPU,
	PEER_FAIL_COUNT
};

struct peer_fail {
	__u32 handle;
	__u32 what;		/* enum peer_failure */
	__u32 after;		/* calls that still succeed first */
	__u32 count;		/* calls that then fail; 0 disarms */
	__s32 error;		/* negative errno, -1 .. -4095; ignored for MAP_NULL */
	__u32 reserved;
};

#define PEER_MOVE_FORCE		(1u << 0)	/* although pinned: breaks the contract on purpose */
#define PEER_MOVE_EVICT		(1u << 1)	/* the memory-pressure path; not with the two below (EINVAL) */
#define PEER_MOVE_SLOW_FENCE	(1u << 2)	/* publish a KERNEL fence, copy later (fence_ms) */
#define PEER_MOVE_AT_MAP	(1u << 3)	/* arm only: the next map starts the move */

struct peer_move {
	__u32 handle;
	__u32 placement;	/* enum peer_placement to go to */
	__u32 flags;		/* PEER_MOVE_* */
	__u32 fence_ms;		/* for SLOW_FENCE, 1 .. PEER_TIMEOUT_MS_MAX; else 0 */
};

struct peer_notify {
	__u32 handle;
	__u32 count;		/* in: notifies to send with nothing moving, 1 .. 1000 */
};

struct peer_storm {
	__u32 handle;
	__u32 on;		/* 1: a thread notifies without pause; 0: stop it */
};

struct peer_walk {
	__u32 handle;
	__u32 rounds;		/* in: walks of the attachment list under the lock, 1 .. 100000 */
	__u32 seen_max;		/* out: longest list seen */
	__u32 broken;		/* out: entries that belong to another buffer */
};

enum peer_usage {		/* values of enum dma_resv_usage */
	PEER_USAGE_KERNEL = 0,
	PEER_USAGE_WRITE,
	PEER_USAGE_READ,
	PEER_USAGE_BOOKKEEP,
	PEER_USAGE_COUNT
};

struct peer_fence {
	__u32 handle;		/* in: buffer (exporter) or attachment (importer) */
	__u32 usage;		/* in: enum peer_usage */
	__u32 timeout_ms;	/* in: signals by itself then, 1 .. PEER_TIMEOUT_MS_MAX */
	__u32 fence;		/* out (add), in (signal): fence id, from 1 */
};

/* Storage as the exporter sees it, past every mapping. */
struct peer_storage {
	__u32 handle;
	__u32 placement;	/* enum peer_placement: also one that is not current */
	__u64 offset;
	__u64 length;		/* at most PEER_TRANSFER_MAX */
	__u64 data;		/* pointer */
	__u32 write;		/* 1: user to storage; 0: storage to user */
	__u32 reserved;
};

struct peer_exporter_stat {
	__u32 handle;
	__u32 placement;	/* out: enum peer_placement of the storage now */
	__u32 attachments;	/* out: alive now */
	__u32 pins;		/* out: pin count of the buffer now */
	__u32 maps;		/* out: mappings alive now */
	__u32 released;		/* out: times release ran: 0 or 1 */
	__u32 calls[PEER_CALL_COUNT];	/* out: successful and failed calls, by enum peer_call */
	__u32 failures[PEER_CALL_COUNT];/* out: those that returned an error */
	__u32 context_wrong;	/* out: calls from atomic context */
	__u32 order_wrong;	/* out: unmap without map, unpin without pin, detach with either */
	__u32 tables_changed;	/* out: unmaps with changed entries, foreign table or direction */
	__u32 fences_pending;	/* out: fences of this buffer's own not yet signalled */
	__u32 reserved[2];
};

#define PEER_EXPORTER_IOC	'E'
#define PEER_IOC_VERSION	_IOWR('V', 0, struct peer_version)
#define PEER_EXPORTER_CREATE	_IOWR(PEER_EXPORTER_IOC, 1, struct peer_buffer_create)
#define PEER_EXPORTER_FORGET	_IOW(PEER_EXPORTER_IOC, 2, struct peer_handle)
#define PEER_EXPORTER_FAIL	_IOW(PEER_EXPORTER_IOC, 3, struct peer_fail)
#define PEER_EXPORTER_MOVE	_IOW(PEER_EXPORTER_IOC, 4, struct peer_move)
#define PEER_EXPORTER_REVOKE	_IOW(PEER_EXPORTER_IOC, 5, struct peer_handle)
#define PEER_EXPORTER_RESTORE	_IOW(PEER_EXPORTER_IOC, 6, struct peer_handle)
#define PEER_EXPORTER_NOTIFY	_IOW(PEER_EXPORTER_IOC, 7, struct peer_notify)
#define PEER_EXPORTER_STORM	_IOW(PEER_EXPORTER_IOC, 8, struct peer_storm)
#define PEER_EXPORTER_WALK	_IOWR(PEER_EXPORTER_IOC, 9, struct peer_walk)
#define PEER_EXPORTER_FENCE	_IOWR(PEER_EXPORTER_IOC, 10, struct peer_fence)
#define PEER_EXPORTER_SIGNAL	_IOW(PEER_EXPORTER_IOC, 11, struct peer_fence)
#define PEER_EXPORTER_STORAGE	_IOW(PEER_EXPORTER_IOC, 12, struct peer_storage)
#define PEER_EXPORTER_STAT	_IOWR(PEER_EXPORTER_IOC, 13, struct peer_exporter_stat)
#define PEER_EXPORTER_EVENTS	_IOWR(PEER_EXPORTER_IOC, 14, struct peer_events)
/*
 * Tries dma_buf_export() with one member missing; returns the core's errno.
 * Proves the core's checks (EXP-01, EXP-02, EXP-03). The core may warn in the
 * kernel log as well, and then panics where panic_on_warn is set.
 */
#define PEER_EXPORTER_BAD	_IOW(PEER_EXPORTER_IOC, 15, struct peer_bad_export)

enum peer_bad {
	PEER_BAD_PRIV = 1,	/* no private pointer */
	PEER_BAD_OPS,		/* no operations */
	PEER_BAD_MAP,
	PEER_BAD_UNMAP,
	PEER_BAD_RELEASE,
	PEER_BAD_PIN,		/* unpin without pin */
	PEER_BAD_UNPIN,		/* pin without unpin */
	PEER_BAD_CACHED,	/* pin with cache_sgt_mapping, ENOTTY where it is gone */
	PEER_BAD_COUNT
};

struct peer_bad_export {
	__u32 what;		/* enum peer_bad */
	__u32 reserved;
};

/* ---- importer -------------------------------------------------------- */

enum peer_mode {
	PEER_MODE_STATIC = 0,	/* dma_buf_attach() */
	PEER_MODE_NOTIFY,	/* dynamic, with a notify callback */
	PEER_MODE_SILENT,	/* dynamic, without one; the core warns where one is mandatory */
	PEER_MODE_COUNT
};

/* The device that is attached. */
enum peer_device {
	PEER_DEVICE_BEST = 0,	/* a PCI function with a DMA engine if bound, else platform */
	PEER_DEVICE_PCI,	/* ENODEV if none is bound */
	PEER_DEVICE_SECOND,	/* a second PCI function, ENODEV if there is none */
	PEER_DEVICE_PLATFORM,	/* no bus, 64 bit DMA mask */
	PEER_DEVICE_NARROW,	/* no bus, 24 bit DMA mask */
	PEER_DEVICE_COUNT
};

enum peer_reaction {		/* to a notify, when mapped */
	PEER_REACT_UNMAP = 0,	/* unmap inside the callback */
	PEER_REACT_LATE,	/* unmap from a work item after late_ms */
	PEER_REACT_NEVER,	/* keep the mapping */
	PEER_REACT_UNPIN,	/* unmap and unpin inside the callback */
	PEER_REACT_COUNT
};

#define PEER_ATTACH_P2P		(1u << 0)	/* allow_peer2peer; not with STATIC (EINVAL) */

struct peer_attach {
	__s32 fd;		/* in: the dma-buf */
	__u32 mode;		/* in: enum peer_mode */
	__u32 device;		/* in: enum peer_device */
	__u32 flags;		/* in: PEER_ATTACH_* */
	__u32 reaction;		/* in: enum peer_reaction */
	__u32 late_ms;		/* in: for REACT_LATE, 1 .. PEER_TIMEOUT_MS_MAX; else 0 */
	__u32 handle;		/* out */
	__u32 peer2peer;	/* out: attach->peer2peer after the exporter had its say */
	__u32 exporter_dynamic;	/* out: dma_buf_is_dynamic() */
	__u32 reserved;
};

struct peer_map {
	__u32 handle;
	__u32 direction;	/* in: enum peer_direction */
	__u32 map;		/* out: id, from 1, unique in the attachment */
	__u32 nents;		/* out: DMA entries */
	__u32 orig_nents;	/* out */
	__u32 same_as;		/* out: id of a live mapping with the same table pointer, or 0 */
	__u64 length;		/* out: sum of the DMA lengths */
	__u32 priv_changed;	/* out: 1 if attach->priv differs from what attach left */
	__u32 timeout_ms;	/* in: reserved for callers that want EINTR; must be 0 */
};

struct peer_unmap {
	__u32 handle;
	__u32 map;
};

struct peer_table_entry {
	__u64 address;		/* DMA address */
	__u32 length;		/* DMA length */
	__u32 has_page;		/* 1: the CPU side names a page */
};

struct peer_table {
	__u32 handle;
	__u32 map;
	__u32 capacity;		/* in: at most PEER_TABLE_ENTRIES_MAX */
	__u32 count;		/* out: entries written */
	__u64 entries;		/* in: pointer to struct peer_table_entry[capacity] */
};

enum peer_engine {
	PEER_ENGINE_TRANSLATE = 0, /* page by page through the device's own translation */
	PEER_ENGINE_DEVICE,	/* the device's DMA engine; EOPNOTSUPP if it has none */
	PEER_ENGINE_SLOW,	/* like TRANSLATE, with PEER_SLOW_MS between two pages */
	PEER_ENGINE_COUNT
};

/*
 * Moves bytes through the DMA addresses of a mapping. An address that the
 * IOMMU does not translate gives EFAULT and counts in .dma_faults. The map
 * may have been invalidated: that is what some clauses are about. A signal ends
 * it with EINTR after any part of the bytes.
 */
struct peer_transfer {
	__u32 handle;
	__u32 map;
	__u64 offset;		/* in the mapping */
	__u64 length;		/* at most PEER_TRANSFER_MAX */
	__u64 data;		/* pointer */
	__u32 write;		/* 1: device writes memory; 0: device reads memory */
	__u32 engine;		/* enum peer_engine */
};

struct peer_react {
	__u32 handle;
	__u32 reaction;		/* enum peer_reaction */
	__u32 late_ms;
	__u32 reserved;
};

/*
 * Maps the buffer into the kernel and back, nested; CPU-04. ESTALE if the
 * maps are at different addresses. The maps are held for .hold_ms, or until a
 * signal comes; CPU-05.
 */
struct peer_vmap {
	__u32 handle;
	__u32 depth;		/* in: nested vmaps held at once, 1 .. 8 */
	__u64 offset;		/* in: bytes to copy out, inside the buffer */
	__u64 length;		/* at most PEER_TRANSFER_MAX */
	__u64 data;		/* pointer */
	__u32 hold_ms;		/* in: at most PEER_TIMEOUT_MS_MAX */
	__u32 reserved;
};

struct peer_importer_stat {
	__u32 handle;
	__u32 pins;		/* out: pins this attachment holds through dma_buf_pin() */
	__u32 maps;		/* out: mappings alive */
	__u32 notifies;		/* out: callbacks seen */
	__u32 notifies_unlocked;/* out: those where the caller did not own the lock */
	__u32 notifies_pinned;	/* out: those that came while pinned */
	__u32 dma_faults;	/* out: untranslated addresses met */
	__u32 peer2peer;	/* out: attach->peer2peer now */
	__u32 mapping_gone;	/* out: mappings given up by a reaction to notify */
	__u32 fences_pending;
	__u32 has_engine;	/* out: 1 if the device has a DMA engine */
	__u32 translated;	/* out: 1 if an IOMMU translates for the device */
	__u32 resv_changed;	/* out: 1 if the buffer has another reservation than at attach */
	__u32 reserved;
	char device[32];	/* out: dev_name() of the attached device */
};

/*
 * What a driver's import does, as one call: attach, pin if asked for, map.
 * Whatever fails, the module unwinds by itself and nothing is left (ERR-01,
 * ERR-02, ERR-03).
 */
struct peer_import {
	struct peer_attach attach;	/* in and out, as for PEER_IMPORTER_ATTACH */
	struct peer_map map;	/* in: direction, handle 0; out, as for PEER_IMPORTER_MAP */
	__u32 pin;		/* in: 1: pin before map; not with STATIC (EINVAL) */
	__s32 error;		/* in: fail so after map, as if hardware had refused; 0: do not */
	__u64 reserved;
};

#define PEER_IMPORTER_IOC	'I'
#define PEER_IMPORTER_ATTACH	_IOWR(PEER_IMPORTER_IOC, 1, struct peer_attach)
#define PEER_IMPORTER_DETACH	_IOW(PEER_IMPORTER_IOC, 2, struct peer_handle)
#define PEER_IMPORTER_PIN	_IOW(PEER_IMPORTER_IOC, 3, struct peer_handle)
#define PEER_IMPORTER_UNPIN	_IOW(PEER_IMPORTER_IOC, 4, struct peer_handle)
#define PEER_IMPORTER_MAP	_IOWR(PEER_IMPORTER_IOC, 5, struct peer_map)
#define PEER_IMPORTER_UNMAP	_IOW(PEER_IMPORTER_IOC, 6, struct peer_unmap)
#define PEER_IMPORTER_TABLE	_IOWR(PEER_IMPORTER_IOC, 7, struct peer_table)
#define PEER_IMPORTER_TRANSFER	_IOW(PEER_IMPORTER_IOC, 8, struct peer_transfer)
#define PEER_IMPORTER_REACT	_IOW(PEER_IMPORTER_IOC, 9, struct peer_react)
#define PEER_IMPORTER_FENCE	_IOWR(PEER_IMPORTER_IOC, 10, struct peer_fence)
#define PEER_IMPORTER_SIGNAL	_IOW(PEER_IMPORTER_IOC, 11, struct peer_fence)
#define PEER_IMPORTER_STAT	_IOWR(PEER_IMPORTER_IOC, 12, struct peer_importer_stat)
#define PEER_IMPORTER_EVENTS	_IOWR(PEER_IMPORTER_IOC, 13, struct peer_events)
#define PEER_IMPORTER_VMAP	_IOW(PEER_IMPORTER_IOC, 14, struct peer_vmap)
#define PEER_IMPORTER_IMPORT	_IOWR(PEER_IMPORTER_IOC, 15, struct peer_import)

/* ---- regions of RDMA core ------------------------------------------- */

enum peer_umem_mode {
	PEER_UMEM_PINNED = 0,	/* ib_umem_dmabuf_get_pinned() */
	PEER_UMEM_REVOCABLE,	/* ib_umem_dmabuf_get_pinned_revocable_and_lock() */
	PEER_UMEM_DYNAMIC,	/* ib_umem_dmabuf_get(), then ib_umem_dmabuf_map_pages() */
	PEER_UMEM_MODE_COUNT
};

#define PEER_UMEM_READ_ONLY	(1u << 0)	/* nobody may write the region */
/* With DYNAMIC only (else EINVAL): */
#define PEER_UMEM_UNMAPPED	(1u << 1)	/* leave the first map to MAP */
#define PEER_UMEM_REMAP		(1u << 2)	/* map again by itself after a notify */
#define PEER_UMEM_UNTOLD	(1u << 3)	/* bring operations without a callback */

#define PEER_UMEM_NAME_SIZE	64

/*
 * What an RDMA driver does to register a dma-buf. RDMA core attaches the
 * device that does the DMA of an RDMA device: of a registered one with
 * that name, or of one that is made for this region alone, on a device as
 * PEER_IMPORTER_ATTACH has them. EOPNOTSUPP for a mode that the kernel lacks.
 * Whatever fails, nothing is left.
 */
struct peer_umem_register {
	__s32 fd;		/* in: the dma-buf */
	__u32 mode;		/* in: enum peer_umem_mode */
	__u64 offset;		/* in: of the region in the buffer */
	__u64 length;		/* in */
	__u32 device;		/* in: enum peer_device; BEST if there is a name */
	__u32 flags;		/* in: PEER_UMEM_* */
	__s32 error;		/* in: fail so at the end, as if hardware had refused; 0: do not */
	__u32 handle;		/* out */
	__u32 lock;		/* out: enum peer_lock when RDMA core handed the region over */
	__u32 reserved;
	char name[PEER_UMEM_NAME_SIZE];	/* in: "efa_0", or empty; ends with NUL */
};

/* Maps if it is not mapped, waits for the content, and makes the key live. */
struct peer_umem_map {
	__u32 handle;
	__u32 nents;		/* out: entries that RDMA core says the region has */
	__u64 length;		/* out: sum of their lengths; whole pages */
};

/* What the device takes the region's key for. */
enum peer_umem_key {
	PEER_UMEM_KEY_NONE = 0,	/* not known yet */
	PEER_UMEM_KEY_LIVE,
	PEER_UMEM_KEY_SUSPENDED,/* accesses wait: TRANSFER fails with EAGAIN */
	PEER_UMEM_KEY_DEAD,	/* accesses fail: TRANSFER fails with EKEYREVOKED */
	PEER_UMEM_KEY_COUNT
};

struct peer_umem_stat {
	__u32 handle;
	__u32 key;		/* out: enum peer_umem_key */
	__u32 rkey;		/* out: the number of that key, as in work requests */
	__u32 mapped;		/* out: 1 if RDMA core has a mapping */
	__u32 revoked;		/* out: 1 if RDMA core has revoked it; 0 where it cannot */
	__u32 dma_faults;	/* out: untranslated addresses met */
	__u32 translated;	/* out: 1 if an IOMMU translates for the device */
	__u32 reserved;
	char device[32];	/* out: dev_name() of the attached device */
};

#define PEER_UMEM_HAS_REVOKE	(1u << 0)	/* the kernel has ib_umem_dmabuf_revoke() */
#define PEER_UMEM_HAS_REVOCABLE	(1u << 1)	/* ... and the mode REVOCABLE */

struct peer_umem_info {
	__u32 features;		/* out: PEER_UMEM_HAS_* */
	__u32 revokes;		/* out: calls of revoke callbacks, also for regions that are gone */
	__u64 reserved;
};

#define PEER_UMEM_IOC		'U'
#define PEER_UMEM_REGISTER	_IOWR(PEER_UMEM_IOC, 1, struct peer_umem_register)
#define PEER_UMEM_DEREGISTER	_IOW(PEER_UMEM_IOC, 2, struct peer_handle)
#define PEER_UMEM_MAP		_IOWR(PEER_UMEM_IOC, 3, struct peer_umem_map)
#define PEER_UMEM_UNMAP		_IOW(PEER_UMEM_IOC, 4, struct peer_handle)
/* The driver's own revoke; EOPNOTSUPP where RDMA core has none. */
#define PEER_UMEM_REVOKE	_IOW(PEER_UMEM_IOC, 5, struct peer_handle)
/* The entries that the device was given at the last map; .map must be 0. */
#define PEER_UMEM_TABLE		_IOWR(PEER_UMEM_IOC, 6, struct peer_table)
/* .offset is in the region, .map must be 0. EACCES for a write to READ_ONLY. */
#define PEER_UMEM_TRANSFER	_IOW(PEER_UMEM_IOC, 7, struct peer_transfer)
#define PEER_UMEM_STAT		_IOWR(PEER_UMEM_IOC, 8, struct peer_umem_stat)
#define PEER_UMEM_EVENTS	_IOWR(PEER_UMEM_IOC, 9, struct peer_events)
#define PEER_UMEM_INFO		_IOWR(PEER_UMEM_IOC, 10, struct peer_umem_info)

#endif /* DMABUF_PEER_H */

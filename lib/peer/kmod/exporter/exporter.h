/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The peer exporter's objects.
 *
 * Locks, outermost first: the reservation of a buffer, which the contract is
 * about; then peer_buffer.state, which alone keeps memory safe. The exporter
 * must survive importers that call without the reservation, so it never relies
 * on it for its own lists and counters. No core or importer function that may
 * call back is called with .state held, and nothing is copied to or from user
 * space under either lock.
 */
#ifndef PEER_EXPORTER_H
#define PEER_EXPORTER_H

#include <linux/dma-buf.h>
#include <linux/dma-resv.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "shared/fault.h"
#include "shared/fence.h"
#include "shared/ioctl.h"
#include "shared/log.h"
#include "uapi/dmabuf_peer.h"

#ifdef PEER_FAULTS
#define FAULT(name, clauses, effect)	FAULT_##name,
enum {
	FAULT_none,
#include "exporter/faults.def"
};
#undef FAULT
#endif

/* In a buffer that repeats itself, neighbours are in pieces as an IOMMU likes them. */
#define PEER_PIECE_ORDER	9

/* A place that storage can be in; .pages is NULL until it is first used. */
struct place {
	struct page **pages;
};

/* How often a call still succeeds, and then fails. */
struct failure {
	u32 after;
	u32 count;
	int error;
};

struct peer_buffer {
	struct kref ref;		/* one for the dma-buf, one for the handle */
	struct dma_resv resv;		/* outlives the dma-buf; unless PEER_BUFFER_OWN_RESV, lent to it */
	struct dma_resv other_resv;	/* for a mutant */
	size_t size;
	unsigned int page_count;
	u32 policy;
	u32 shape;
	u32 flags;

	struct dma_buf *dmabuf;		/* under .resv; NULL once released */
	struct dma_buf *kept;		/* for a mutant: a reference too many */
	struct dma_buf_attachment *refused;	/* for a mutant: listed all the same */
	u32 last_put;			/* PEER_EVENT_PUT_*; one task puts the last reference */

	struct mutex state;		/* all down to .armed */
	struct place places[PEER_PLACE_COUNT];
	u32 placement;
	u32 left;			/* the place before; PEER_PLACE_COUNT: none */
	u32 pins;
	u32 maps;
	u32 vmaps;
	u32 vmas;
	bool pinned_before;
	bool revoked;
	bool revoked_before;
	bool released;
	struct list_head attachments;	/* struct attachment */
	u32 attachment_count;
	u32 last_attachment;
	struct failure failures[PEER_FAIL_COUNT];
	struct peer_move armed;		/* .handle is 0 unless a move waits for map */

	/*
	 * A move whose copy is still to come. An allocation may end up waiting
	 * for its fence, so the copy does without .state, under which memory is
	 * allocated.
	 */
	struct delayed_work copy;
	u32 copy_from;			/* these two from start_copy() to .copy */
	u32 copy_to;
	spinlock_t copy_lock;		/* .copy_fence */
	struct dma_fence *copy_fence;

	wait_queue_head_t unmapped;	/* .maps fell to 0 */

	struct mutex storm_lock;
	struct task_struct *storm;
	bool forgotten;			/* under .storm_lock: no storm may start */

	struct peer_fences fences;
	struct peer_log log;
	atomic_t context_wrong;
	atomic_t order_wrong;
	atomic_t tables_changed;
};

/* What hangs at dma_buf_attachment.priv. */
struct attachment {
	struct list_head node;
	struct dma_buf_attachment *core;
	u32 id;
	u32 pins;
	u32 implicit_pins;
	u32 maps;
	bool map_failed;		/* for a mutant: the last one did */
	struct list_head mappings;	/* struct mapping */
};

/* One result of map. The importer sees .table and nothing else. */
struct mapping {
	struct list_head node;
	struct sg_table table;
	struct sg_table given;		/* .table as it was handed out */
	unsigned int allocated;		/* entries at .given.sgl */
	struct sg_table backing;	/* the pages, mapped for the device */
	bool backing_gone;		/* a mutant unmapped it already */
	u32 placement;			/* where the storage was at map */
	enum dma_data_direction direction;
	u64 checksum;
	unsigned int users;		/* 1, but for a mutant */
	size_t charge;			/* bytes of memory accounted */
};

/* One call by the other side, from entry to return. */
struct visit {
	struct peer_buffer *buffer;
	struct peer_event event;
};

/* ---- visit.c: judging and recording calls ---- */

/**
 * visit_begin - note who calls, and judge lock and context
 * @visit: filled
 * @buffer: the buffer
 * @core: the attachment concerned, or NULL
 * @call: which operation
 */
void visit_begin(struct visit *visit, struct peer_buffer *buffer,
		 struct dma_buf_attachment *core, enum peer_call call);

/**
 * visit_end - record the call with the state it left behind
 *
 * Return: @result.
 */
int visit_end(struct visit *visit, int result);

/**
 * record - record something the exporter itself did
 */
void record(struct peer_buffer *buffer, enum peer_call call, int result);

/**
 * fails_now - whether a test asked for this call to fail
 *
 * Return: the negative errno to return, or 0.
 */
int fails_now(struct peer_buffer *buffer, enum peer_failure what);

/* ---- attachment.c ---- */

int exporter_attach(struct dma_buf *dmabuf, struct dma_buf_attachment *core);
void exporter_detach(struct dma_buf *dmabuf, struct dma_buf_attachment *core);

struct attachment *to_attachment(const struct dma_buf_attachment *core);

/**
 * all_reach - whether every attachment reaches a place; call with .state held
 */
bool all_reach(struct peer_buffer *buffer, u32 placement);

/**
 * unlist_refused - undo what a mutant left in the core's list, before release
 */
void unlist_refused(struct peer_buffer *buffer);

/* ---- pin.c, mapping.c, cpu.c: operations of the dma-buf ---- */

/**
 * is_in_core_map - whether an address is in the core's function that maps
 */
bool is_in_core_map(void *caller);

int exporter_pin(struct dma_buf_attachment *core);
void exporter_unpin(struct dma_buf_attachment *core);
struct sg_table *exporter_map(struct dma_buf_attachment *core,
			      enum dma_data_direction direction);
void exporter_unmap(struct dma_buf_attachment *core, struct sg_table *table,
		    enum dma_data_direction direction);
int exporter_begin_cpu(struct dma_buf *dmabuf, enum dma_data_direction direction);
int exporter_end_cpu(struct dma_buf *dmabuf, enum dma_data_direction direction);
int exporter_mmap(struct dma_buf *dmabuf, struct vm_area_struct *vma);
int exporter_vmap(struct dma_buf *dmabuf, struct iosys_map *map);
void exporter_vunmap(struct dma_buf *dmabuf, struct iosys_map *map);

/**
 * drop_mappings - give back what an attachment still has mapped
 *
 * Call with .state held. Return: how many there were.
 */
unsigned int drop_mappings(struct peer_buffer *buffer,
			   struct attachment *attachment);

/* ---- table.c: what map hands out ---- */

/**
 * mapping_create - map a place for a device and lay out the table
 * @buffer: the buffer; .state held
 * @core: the attachment
 * @direction: of the DMA
 *
 * Return: the mapping, or an error pointer.
 */
struct mapping *mapping_create(struct peer_buffer *buffer,
			       struct dma_buf_attachment *core,
			       enum dma_data_direction direction);
void mapping_destroy(struct mapping *mapping, struct device *device);

/**
 * mapping_unmap - take the device's view away, once
 */
void mapping_unmap(struct mapping *mapping, struct device *device);

/**
 * mapping_changed - whether the importer altered the table it was given
 */
bool mapping_changed(const struct mapping *mapping);

/* ---- storage.c: the bytes; call with .state held ---- */

/**
 * place_ready - allocate a place unless it has its pages already
 *
 * New pages are full of PEER_POISON.
 */
int place_ready(struct peer_buffer *buffer, u32 placement);
void places_free(struct peer_buffer *buffer);
void place_fill(struct peer_buffer *buffer, u32 placement, u8 byte);
void place_copy(struct peer_buffer *buffer, u32 from, u32 to);
void place_access(struct peer_buffer *buffer, u32 placement, u64 offset,
		  void *data, size_t length, bool write);

int ioctl_storage(struct peer_file *file, void *argument, void __user *user);

/* ---- move.c ---- */

/**
 * move_storage - move as a driver does; call with the reservation locked
 * @buffer: the buffer
 * @placement: where to
 * @flags: PEER_MOVE_FORCE, _EVICT, _SLOW_FENCE
 * @fence_ms: for _SLOW_FENCE
 *
 * Return: 0 (also if it is there already), -EBUSY if pinned or vmapped, -EINVAL
 * if the caller does not own the reservation, -EOPNOTSUPP if this storage never moves, -ENODEV, -ENOMEM, -ETIMEDOUT,
 * -ERESTARTSYS.
 */
int move_storage(struct peer_buffer *buffer, u32 placement, u32 flags,
		 u32 fence_ms);

/**
 * finish_copy - work function: end of a move with PEER_MOVE_SLOW_FENCE
 */
void finish_copy(struct work_struct *work);

/**
 * wait_for_copy - wait until a slow move has its content in place
 *
 * Return: 0, -ETIMEDOUT, -ERESTARTSYS.
 */
int wait_for_copy(struct peer_buffer *buffer);

/**
 * wait_for_fences - wait for all fences of the buffer, and record it
 *
 * Return: 0, -ETIMEDOUT, -ERESTARTSYS.
 */
int wait_for_fences(struct peer_buffer *buffer, enum dma_resv_usage usage);

/**
 * move_at_map - start the move that a test armed, if the buffer may move
 */
int move_at_map(struct peer_buffer *buffer);

int ioctl_move(struct peer_file *file, void *argument, void __user *user);

/* ---- notify.c ---- */

/**
 * notify - tell all attachments, and record it; reservation locked
 */
void notify(struct peer_buffer *buffer);

/**
 * storm_forbid - stop the storm for good, as nobody could stop a later one
 */
void storm_forbid(struct peer_buffer *buffer);

int ioctl_notify(struct peer_file *file, void *argument, void __user *user);
int ioctl_storm(struct peer_file *file, void *argument, void __user *user);
int ioctl_walk(struct peer_file *file, void *argument, void __user *user);

/* ---- put.c ---- */

/**
 * puts_watch - look at who puts the last reference to a buffer, from now on
 *
 * Where the kernel has no means for that, nobody is told.
 *
 * Return: 0.
 */
int puts_watch(void);
void puts_ignore(void);

/* ---- revoke.c, bad.c ---- */

int ioctl_revoke(struct peer_file *file, void *argument, void __user *user);
int ioctl_restore(struct peer_file *file, void *argument, void __user *user);
int ioctl_bad(struct peer_file *file, void *argument, void __user *user);

/* ---- buffer.c ---- */

/**
 * buffer_get - find a buffer and hold it
 * @file: the open file
 * @handle: its handle
 *
 * Return: the buffer, or an error pointer with -ENOENT.
 */
struct peer_buffer *buffer_get(struct peer_file *file, u32 handle);
void buffer_put(struct peer_buffer *buffer);

/**
 * buffer_lock - lock the reservation of a buffer whose dma-buf is alive
 *
 * Return: 0, -EINTR, -ENODEV if it was released, or -EOPNOTSUPP if the
 * reservation is the dma-buf's own.
 */
int buffer_lock(struct peer_buffer *buffer);
void buffer_unlock(struct peer_buffer *buffer);

/**
 * buffer_forget - drop the handle's hold: nobody can command it any more
 */
void buffer_forget(struct peer_buffer *buffer);

/**
 * buffers_let_module_go - drop what a mutant holds of this module
 */
#ifdef PEER_FAULTS
void buffers_let_module_go(void);
#else
static inline void buffers_let_module_go(void) { }
#endif

void exporter_release(struct dma_buf *dmabuf);

int ioctl_create(struct peer_file *file, void *argument, void __user *user);
int ioctl_forget(struct peer_file *file, void *argument, void __user *user);
int ioctl_fail(struct peer_file *file, void *argument, void __user *user);
int ioctl_fence(struct peer_file *file, void *argument, void __user *user);
int ioctl_signal(struct peer_file *file, void *argument, void __user *user);
int ioctl_stat(struct peer_file *file, void *argument, void __user *user);
int ioctl_events(struct peer_file *file, void *argument, void __user *user);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The importer through RDMA core: a driver in the manner of those in
 * drivers/infiniband/hw, as far as the registration of dma-bufs goes.
 *
 * Locks, outermost first: agent.admission; region.life; the reservation of the
 * dma-buf; region.access. agent.lock is taken under the first two;
 * nothing is taken under it. Nothing is copied to or from user space under the
 * reservation and what comes after it.
 */
#ifndef PEER_UMEM_H
#define PEER_UMEM_H

#include <linux/atomic.h>
#include <linux/dma-buf.h>
#include <linux/dma-resv.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/workqueue.h>
#include <rdma/ib_umem.h>
#include <rdma/ib_verbs.h>

#include "importer/agent.h"
#include "shared/fault.h"
#include "shared/ioctl.h"
#include "shared/log.h"
#include "uapi/dmabuf_peer.h"

#ifdef PEER_FAULTS
#define FAULT(name, clauses, effect)	FAULT_##name,
enum {
	FAULT_none,
#include "umem/faults.def"
};
#undef FAULT
#endif

struct umem_file {
	struct peer_file base;		/* first, as peer_node wants it */
	atomic_t revokes;		/* calls of revoke callbacks */
};

/* A memory region. */
struct region {
	struct kref ref;
	struct umem_file *file;		/* until it ended */
	u32 handle;
	u32 mode;
	u32 flags;
	u64 offset;			/* in the buffer */
	u64 length;

	struct dma_agent *agent;	/* what is attached, and does the DMA */
	struct agent_user user;
	struct ib_device *device;	/* until it ended */
	bool own_device;

	struct rw_semaphore life;	/* read: using .umem; write: ending */
	struct ib_umem_dmabuf *umem;	/* NULL once it ended */
	bool live;			/* under the reservation: not ending */
	struct sg_table *given_up;	/* for a mutant: the last table unmapped */
	atomic_t writes;		/* for a mutant: under way */

	struct mutex access;		/* held while bytes move; down to .dma_faults */
	u32 key;			/* enum peer_umem_key */
	u32 rkey;			/* its number; 0: none */
	u32 count;			/* what the device knows of the table */
	struct peer_table_entry *entries;
	u64 covered;			/* sum of their lengths */
	size_t charge;			/* bytes of memory accounted */
	u32 dma_faults;

	struct delayed_work remap;
	struct peer_log log;
};

/* ---- device.c ---- */

int devices_init(void);
void devices_exit(void);

/**
 * device_find - find what will be attached, and hold it
 * @region: .agent is filled, and .device where it is a registered one
 * @request: name and device
 *
 * Return: 0, -ENODEV, or -EOPNOTSUPP if that RDMA device does no DMA.
 */
int device_find(struct region *region, const struct peer_umem_register *request);

/**
 * device_make - see that there is an RDMA device on the agent
 * @region: .device is filled; the agent is entered
 *
 * Return: 0 or -ENOMEM.
 */
int device_make(struct region *region);

/**
 * device_drop - let go of the RDMA device; nothing is attached for it any more
 */
void device_drop(struct region *region);

/* ---- region.c ---- */

/**
 * region_get - find a region and hold it
 *
 * Return: the region, or an error pointer with -ENOENT.
 */
struct region *region_get(struct peer_file *file, u32 handle);
void region_put(struct region *region);

/**
 * region_enter - keep a region from ending, and lock its reservation
 *
 * Return: 0, -EINTR, or -ENODEV if it has ended.
 */
int region_enter(struct region *region);
void region_leave(struct region *region);

/**
 * region_end - what deregistration does; once, however often it is called
 */
void region_end(struct region *region);

/**
 * region_record - record a call; RDMA core has handed the region over
 */
void region_record(struct region *region, enum peer_call call, int result);

int ioctl_register(struct peer_file *file, void *argument, void __user *user);
int ioctl_deregister(struct peer_file *file, void *argument, void __user *user);

/* ---- window.c: what the device knows; the reservation is locked ---- */

/**
 * window_map - map, wait for the content, make the key live
 *
 * Return: 0 or what RDMA core gave. A dead key stays dead.
 */
int window_map(struct region *region);

/**
 * window_read - tell the device what RDMA core has mapped; the key is live
 *
 * Return: 0, -EINVAL if nothing is mapped, as after a revoke, -ENOMEM, or -EIO
 * for more entries than there can be.
 */
int window_read(struct region *region);

/**
 * window_unmap - take the mapping back; the key is no longer live
 */
void window_unmap(struct region *region);

/**
 * window_spoil - for mutants: cut otherwise, or forget what RDMA core cut
 */
void window_spoil(struct region *region);

/**
 * window_free - forget the entries
 */
void window_free(struct region *region);

/**
 * key_number - take a number that no other region has, the lowest one
 * key_drop - let others have it; of a region without one nothing
 * @region: the region
 *
 * Return: 0, -ENOMEM, or -ENOSPC if there are no more.
 */
int key_number(struct region *region);
void key_drop(struct region *region);

/**
 * key_set - tell the device of a key; waits for bytes that are under way
 * @region: the region
 * @key: enum peer_umem_key; a dead key stays dead
 */
void key_set(struct region *region, u32 key);

int ioctl_map(struct peer_file *file, void *argument, void __user *user);
int ioctl_unmap(struct peer_file *file, void *argument, void __user *user);
int ioctl_table(struct peer_file *file, void *argument, void __user *user);

/* ---- notify.c ---- */

extern const struct dma_buf_attach_ops dynamic_ops;
extern const struct dma_buf_attach_ops untold_ops;

/**
 * region_revoked - the revoke callback
 * @private: the region
 */
void region_revoked(void *private);
void remap(struct work_struct *work);

/* ---- transfer.c, command.c ---- */

int ioctl_transfer(struct peer_file *file, void *argument, void __user *user);
int ioctl_revoke(struct peer_file *file, void *argument, void __user *user);
int ioctl_stat(struct peer_file *file, void *argument, void __user *user);
int ioctl_events(struct peer_file *file, void *argument, void __user *user);
int ioctl_info(struct peer_file *file, void *argument, void __user *user);

#endif

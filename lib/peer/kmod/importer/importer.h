/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The peer importer's objects.
 *
 * Locks, outermost first: the reservation of the dma-buf, which the contract
 * is about; then mapping.lock; then import.state. No core function is called
 * with .state held, as it may call back into notify; nothing is copied to or
 * from user space under any of the three.
 */
#ifndef PEER_IMPORTER_H
#define PEER_IMPORTER_H

#include <linux/dma-buf.h>
#include <linux/dma-resv.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

#include "importer/agent.h"
#include "shared/fault.h"
#include "shared/fence.h"
#include "shared/ioctl.h"
#include "shared/log.h"
#include "uapi/dmabuf_peer.h"

#ifdef PEER_FAULTS
#define FAULT(name, clauses, effect)	FAULT_##name,
enum {
	FAULT_none,
#include "importer/faults.def"
};
#undef FAULT
#endif

/* One attachment. */
struct import {
	struct kref ref;
	struct dma_buf *dmabuf;		/* held until the last reference goes */
	struct dma_buf_attachment *core;
	struct dma_agent *device;
	struct agent_user of_device;
	u32 handle;
	u32 mode;
	void *exporter_private;		/* what attach left in core->priv */

	struct mutex ending;		/* one thread tears down */

	struct mutex state;		/* all down to .counts */
	bool live;			/* also changed only under the reservation */
	bool ready;
	bool orphaned;			/* a mutant left it to the module's end */
	bool peer2peer;			/* after the exporter had its say */
	struct list_head mappings;	/* struct mapping */
	u32 last_map;
	u32 maps;
	u32 pins;
	u32 reaction;
	u32 late_ms;
	struct sg_table *given_up;	/* for a mutant: the last table unmapped */
	enum dma_data_direction given_up_direction;
	bool has_read;			/* for a mutant, under its test's calls */
	u8 read_first[64];
	u32 writes;			/* for a mutant: under way */
	struct {
		u32 notifies;
		u32 unlocked;
		u32 pinned;
		u32 mapping_gone;
		u32 dma_faults;
	} counts;

	struct delayed_work late;	/* unmaps what a notify made stale */
	struct work_struct leave;	/* for a mutant */
	struct dma_resv *resv;		/* the buffer's, when attached */
	struct peer_fences fences;
	struct peer_log log;
};

struct mapping {
	struct kref ref;
	struct list_head node;		/* under import.state */
	u32 id;
	bool stale;			/* under import.state: notify came */
	enum dma_data_direction direction;
	struct sg_table *table;		/* the exporter's, until unmap */
	u32 count;			/* the table's DMA side, copied at map */
	struct peer_table_entry *entries;
	size_t charge;			/* bytes of memory accounted */
	u64 length;

	struct mutex lock;		/* held while bytes move */
	bool dead;
};

/* ---- device.c ---- */

int devices_init(void);
void devices_exit(void);

/* ---- edu.c: the DMA engine of QEMU's edu device ---- */

struct pci_dev;

#define EDU_BUFFER_SIZE	4096

/**
 * edu_create - set up the engine
 *
 * Return: the engine, NULL if the function is no edu device, or an error
 * pointer.
 */
struct edu *edu_create(struct pci_dev *pdev);
void edu_destroy(struct edu *edu);

/**
 * edu_transfer - let the device read or write memory
 * @edu: the engine
 * @address: DMA address
 * @data: kernel memory on the other side
 * @length: bytes, at most EDU_BUFFER_SIZE
 * @write: the device writes to @address
 *
 * Takes some 200 ms.
 *
 * Return: 0, -ETIMEDOUT, -EINTR.
 */
int edu_transfer(struct edu *edu, dma_addr_t address, void *data,
		 unsigned int length, bool write);

/* ---- import.c ---- */

/**
 * import_get - find an attachment and hold it
 *
 * Return: the import, or an error pointer with -ENOENT.
 */
struct import *import_get(struct peer_file *file, u32 handle);
void import_put(struct import *import);

/**
 * import_lock - lock the reservation of a live attachment
 *
 * Return: 0, -EINTR, or -ENODEV if it was torn down.
 */
int import_lock(struct import *import);
void import_unlock(struct import *import);

/**
 * import_end - unmap, unpin, detach; once, however often it is called
 */
void import_end(struct import *import);

/**
 * import_record - record a call
 */
void import_record(struct import *import, enum peer_call call, u32 direction,
		   int result);

int ioctl_attach(struct peer_file *file, void *argument, void __user *user);
int ioctl_detach(struct peer_file *file, void *argument, void __user *user);
int ioctl_import(struct peer_file *file, void *argument, void __user *user);

/* ---- pin.c; the reservation is locked ---- */

int pin(struct import *import);
void unpin(struct import *import);

int ioctl_pin(struct peer_file *file, void *argument, void __user *user);
int ioctl_unpin(struct peer_file *file, void *argument, void __user *user);

/* ---- mapping.c ---- */

/**
 * map - map, wait for the content, remember; the reservation is locked
 * @import: the attachment
 * @request: direction; the results are filled
 *
 * Return: 0 or the negative errno of the exporter, the wait or the memory.
 */
int map(struct import *import, struct peer_map *request);

/**
 * unmap - unmap one mapping; the reservation is locked
 * @import: the attachment
 * @id: the mapping
 *
 * Return: 0 or -ENOENT.
 */
int unmap(struct import *import, u32 id);

/**
 * unmap_all - unmap what is there; the reservation is locked
 * @import: the attachment
 * @stale_only: only what a notify made stale
 *
 * Return: how many there were.
 */
unsigned int unmap_all(struct import *import, bool stale_only);

struct mapping *mapping_get(struct import *import, u32 id);
void mapping_put(struct mapping *mapping);

/**
 * mapping_kill - let no device use a mapping any more
 */
void mapping_kill(struct mapping *mapping);

int check_map(const struct peer_map *request);

int ioctl_map(struct peer_file *file, void *argument, void __user *user);
int ioctl_unmap(struct peer_file *file, void *argument, void __user *user);
int ioctl_table(struct peer_file *file, void *argument, void __user *user);

/* ---- notify.c ---- */

void importer_notify(struct dma_buf_attachment *core);
void unmap_late(struct work_struct *work);
void leave_early(struct work_struct *work);
int check_reaction(u32 reaction, u32 late_ms);

int ioctl_react(struct peer_file *file, void *argument, void __user *user);

/* ---- transfer.c, vmap.c, command.c ---- */

/**
 * transfer_write_late - for a mutant: write what the device held back
 */
void transfer_write_late(struct import *import, struct mapping *mapping);

int ioctl_transfer(struct peer_file *file, void *argument, void __user *user);
int ioctl_vmap(struct peer_file *file, void *argument, void __user *user);
int ioctl_fence(struct peer_file *file, void *argument, void __user *user);
int ioctl_signal(struct peer_file *file, void *argument, void __user *user);
int ioctl_stat(struct peer_file *file, void *argument, void __user *user);
int ioctl_events(struct peer_file *file, void *argument, void __user *user);

#endif

// SPDX-License-Identifier: GPL-2.0-only
/* Faults of RDMA core as an exporter of memory of devices. */
#include <linux/completion.h>
#include <linux/dma-buf.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <rdma/ib_verbs.h>

#include "core/alter.h"

#define ALLOC	"ib_uverbs_handler_UVERBS_METHOD_DMABUF_ALLOC"

/* ib_uverbs_ioctl(file, command, argument) */
static void note_file(struct altered_call *call)
{
	call->note[0] = call->argument[0];
}

/* The node's own file will do; a table of descriptors that is not full is not made anew. */
static void leave_descriptor(struct altered_call *call)
{
	int fd;

	if ((int)call->result != -EINVAL && (int)call->result != -EIO)
		return;
	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd >= 0)
		fd_install(fd, get_file((struct file *)call->note[0]));
}

static void let_inherit(struct altered_call *call)
{
	call->argument[0] &= ~(unsigned long)O_CLOEXEC;
}

/* dma_buf_export(information) */
static void open_for_writing(struct altered_call *call)
{
	struct dma_buf_export_info *information = (void *)call->argument[0];

	information->flags |= O_RDWR;
}

/* rdma_user_mmap_entry_remove(entry): what was exported of it keeps it. */
static void hide_exported(struct altered_call *call)
{
	struct rdma_user_mmap_entry *entry = (void *)call->argument[0];

	if (!entry || list_empty(&entry->dmabufs))
		return;
	call->note[0] = call->argument[0];
	call->note[1] = (unsigned long)entry->dmabufs.next;
	list_del_init(&entry->dmabufs);
}

static void show_exported(struct altered_call *call)
{
	struct rdma_user_mmap_entry *entry = (void *)call->note[0];

	if (entry)
		list_add_tail(&entry->dmabufs, (struct list_head *)call->note[1]);
}

/* Who is in rdma_user_mmap_entry_remove(), as one caller at a time is. */
static struct task_struct *remover;

static void note_remover(struct altered_call *call)
{
	(void)call;
	WRITE_ONCE(remover, current);
}

static void forget_remover(struct altered_call *call)
{
	(void)call;
	WRITE_ONCE(remover, NULL);
}

/* wait_for_completion(completion): of the last unmap. It is completed again then. */
static void end_wait(struct altered_call *call)
{
	if (READ_ONCE(remover) == current)
		complete((struct completion *)call->argument[0]);
}

static const struct alteration rows[] = {
	REPLACE(export_says_eperm, ALLOC, -EINVAL, -EPERM),
	REPLACE(export_says_eperm, ALLOC, -EIO, -EPERM),
	REPLACE(export_call_says_eio, "ib_uverbs_ioctl", -EPROTONOSUPPORT, -EIO),
	ALTER(export_leaves_descriptor, "ib_uverbs_ioctl", note_file, leave_descriptor),
	REPLACE(export_takes_all, "uverbs_dmabuf_attach", -EOPNOTSUPP, 0),
	REPLACE(export_pins, "uverbs_dmabuf_pin", -EOPNOTSUPP, 0),
	ALTER(export_inherited, "get_unused_fd_flags", let_inherit, NULL),
	ALTER(export_writable, "dma_buf_export", open_for_writing, NULL),
	REPLACE(export_sync_fails, "dma_buf_begin_cpu_access", 0, -EIO),
	ALTER(export_outlives_memory, "rdma_user_mmap_entry_remove", hide_exported, show_exported),
	ALTER(export_forgets_maps, "rdma_user_mmap_entry_remove", note_remover, forget_remover),
	ALTER(export_forgets_maps, "wait_for_completion", end_wait, NULL),
	SKIP(export_keeps_memory, "rdma_user_mmap_entry_remove"),
	SKIP(export_outlives_context, "uverbs_dmabuf_fd_destroy_uobj"),
	ALTER(export_outlives_context, "rdma_user_mmap_entry_remove", hide_exported, show_exported),
	REPLACE(export_revoked_says_eio, "uverbs_dmabuf_map", -ENODEV, -EIO),
};

const struct alteration_list rdma_export_alterations = { rows, ARRAY_SIZE(rows) };

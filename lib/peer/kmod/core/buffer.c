// SPDX-License-Identifier: GPL-2.0-only
/* Faults of drivers/dma-buf/dma-buf.c. */
#include <linux/dma-buf.h>
#include <linux/fs.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <uapi/linux/dma-buf.h>

#include "compat.h"
#include "core/alter.h"

/* There is no error in it; sizes, addresses and counts are none. */
static bool succeeded(const struct altered_call *call)
{
	return (long)call->result >= 0;
}

static bool is_buffer(const struct file *file)
{
	return !strcmp(file->f_inode->i_sb->s_type->name, "dmabuf");
}

/* ---- files ------------------------------------------------------------ */

static void tell_more(struct altered_call *call)
{
	if ((long)call->result > 0)
		call->result += PAGE_SIZE;
}

static void keep_file(struct altered_call *call)
{
	call->note[0] = call->argument[0];
}

static void move_position(struct altered_call *call)
{
	struct file *file = (void *)call->note[0];

	file->f_pos = PAGE_SIZE;
}

static void find_data(struct altered_call *call)
{
	if ((long)call->result == -EINVAL && is_buffer((void *)call->note[0]))
		call->result = 0;
}

static bool sets_name(const struct altered_call *call)
{
	return call->argument[1] == DMA_BUF_SET_NAME_A ||
	       call->argument[1] == DMA_BUF_SET_NAME_B;
}

static void forget_name(struct altered_call *call)
{
	if (sets_name(call))
		call->argument[1] = 0;
}

static void forget_new_name(struct altered_call *call)
{
	const struct file *file = (void *)call->argument[0];
	const struct dma_buf *dmabuf = file->private_data;

	call->note[0] = sets_name(call) && dmabuf->name;
	if (call->note[0])
		call->argument[1] = 0;
}

static void say_it_was_named(struct altered_call *call)
{
	if (call->note[0])
		call->result = 0;
}

static void note_length(struct altered_call *call)
{
	const struct seq_file *text = (void *)call->argument[0];

	call->note[0] = call->argument[0];
	call->note[1] = text->count;
}

static void drop_text(struct altered_call *call)
{
	struct seq_file *text = (void *)call->note[0];

	text->count = call->note[1];
}

static void forget_command(struct altered_call *call)
{
	if (is_buffer((void *)call->argument[0]))
		call->argument[1] = 0;
}

static void number_all_alike(struct altered_call *call)
{
	struct dma_buf *dmabuf = (void *)call->result;

	if (!IS_ERR(dmabuf))
		file_inode(dmabuf->file)->i_ino = 1;
}

static void keep_append(struct altered_call *call)
{
	struct dma_buf *dmabuf = (void *)call->result;

	if (!IS_ERR(dmabuf))
		dmabuf->file->f_flags |= O_APPEND;
}

static void keep_buffer(struct altered_call *call)
{
	get_file((struct file *)call->argument[0]);
}

/* The first call after one that was interrupted. */
static void fail_the_next(struct altered_call *call)
{
	static bool interrupted;
	long result = (int)call->result;

	if (interrupted && !result)
		call->result = -EIO;
	interrupted = result == -ERESTARTSYS || result == -EINTR;
}

/* ---- attachments ------------------------------------------------------ */

static void do_nothing(struct dma_buf_attachment *attach)
{
}

static const struct dma_buf_attach_ops told = { .peer_notify_op = do_nothing };
static const struct dma_buf_attach_ops untold;

/* For the length of the call the core takes the importer for another kind. */
static void disguise(struct altered_call *call, struct dma_buf_attachment *attach,
		     const struct dma_buf_attach_ops *ops)
{
	call->note[0] = (unsigned long)attach;
	call->note[1] = (unsigned long)attach->importer_ops;
	attach->importer_ops = ops;
}

static void undo_disguise(struct altered_call *call)
{
	struct dma_buf_attachment *attach = (void *)call->note[0];

	if (attach)
		attach->importer_ops = (void *)call->note[1];
}

static void call_it_static(struct altered_call *call)
{
	struct dma_buf_attachment *attach = (void *)call->argument[0];

	if (attach->importer_ops)
		disguise(call, attach, NULL);
}

static void call_it_told(struct altered_call *call)
{
	struct dma_buf_attachment *attach = (void *)call->argument[0];

	if (!attach->importer_ops)
		disguise(call, attach, &told);
}

static void hide_first(struct altered_call *call)
{
	struct dma_buf *dmabuf = (void *)call->argument[0];

	if (!list_empty(&dmabuf->attachments))
		disguise(call, list_first_entry(&dmabuf->attachments,
						struct dma_buf_attachment, node),
			 &untold);
}

/* All importers of these tests are one module's: one callback suits them all. */
static void lend_callback(struct altered_call *call)
{
	struct dma_buf *dmabuf = (void *)call->argument[0];
	struct dma_buf_attachment *attach, *silent = NULL, *notified = NULL;

	list_for_each_entry(attach, &dmabuf->attachments, node) {
		if (peer_notifiable(attach))
			notified = attach;
		else if (attach->importer_ops)
			silent = attach;
	}
	if (silent && notified)
		disguise(call, silent, notified->importer_ops);
}

/* dma_buf_dynamic_attach(buffer, device, ops, private): it wants a device. */
static void want_callback(struct altered_call *call)
{
	const struct dma_buf_attach_ops *ops = (void *)call->argument[2];

	if (ops && !ops->peer_notify_op)
		call->argument[1] = 0;
}

static void invert(struct altered_call *call)
{
	call->result = !(call->result & 1);
}

/* As the exporter, here the suite's own, gets it from the core. */
static void allow_peer2peer(struct altered_call *call)
{
	struct dma_buf_attachment *attach = (void *)call->argument[1];

	if (!attach->importer_ops)
		attach->peer2peer = true;
}

/* ---- vmap -------------------------------------------------------------- */

/* note: the buffer, its count, the address that the count is of, the map. */
static void note_vmap(struct altered_call *call)
{
	struct dma_buf *dmabuf = (void *)call->argument[0];

	call->note[0] = call->argument[0];
	call->note[1] = dmabuf->vmapping_counter;
	call->note[2] = (unsigned long)dmabuf->vmap_ptr.vaddr;
	call->note[3] = call->argument[1];
}

static void forget_vmap(struct altered_call *call)
{
	struct dma_buf *dmabuf = (void *)call->argument[0];

	note_vmap(call);
	dmabuf->vmapping_counter = 0;
	iosys_map_clear(&dmabuf->vmap_ptr);
}

/* The core insists on the first address when the users leave. */
static void recall_vmap(struct altered_call *call)
{
	struct dma_buf *dmabuf = (void *)call->note[0];

	if (!succeeded(call))
		return;
	dmabuf->vmapping_counter = call->note[1] + 1;
	if (!call->note[1])
		return;
	iosys_map_set_vaddr(&dmabuf->vmap_ptr, (void *)call->note[2]);
	*(struct iosys_map *)call->note[3] = dmabuf->vmap_ptr;
}

static void make_last(struct altered_call *call)
{
	struct dma_buf *dmabuf = (void *)call->argument[0];

	note_vmap(call);
	if (dmabuf->vmapping_counter)
		dmabuf->vmapping_counter = 1;
}

static void recall_users(struct altered_call *call)
{
	struct dma_buf *dmabuf = (void *)call->note[0];

	if (call->note[1] < 2)
		return;
	dmabuf->vmapping_counter = call->note[1] - 1;
	iosys_map_set_vaddr(&dmabuf->vmap_ptr, (void *)call->note[2]);
}

static void note_map(struct altered_call *call)
{
	const struct dma_buf *dmabuf = (void *)call->argument[0];

	call->note[0] = call->argument[1];
	call->note[1] = dmabuf->vmapping_counter;
}

static void shift_map(struct altered_call *call)
{
	struct iosys_map *map = (void *)call->note[0];

	if (succeeded(call) && call->note[1])
		map->vaddr += SMP_CACHE_BYTES;
}

static void shift_map_back(struct altered_call *call)
{
	const struct dma_buf *dmabuf = (void *)call->argument[0];

	*(struct iosys_map *)call->argument[1] = dmabuf->vmap_ptr;
}

static const struct alteration rows[] = {
	ALTER(seek_tells_more, "dma_buf_llseek", NULL, tell_more),
	ALTER(seek_moves, "dma_buf_llseek", keep_file, move_position),
	ALTER(has_data, "vfs_read", keep_file, find_data),
	ALTER(has_data, "vfs_write", keep_file, find_data),
	ALTER(names_unknown, "dma_buf_ioctl", forget_name, NULL),
	ALTER(name_stays, "dma_buf_ioctl", forget_new_name, say_it_was_named),
	ALTER(fdinfo_silent, "dma_buf_show_fdinfo", note_length, drop_text),
	ALTER(compat_unknown, "compat_ptr_ioctl", forget_command, NULL),
	ALTER(same_inode, "dma_buf_export", NULL, number_all_alike),
	ALTER(append_kept, "dma_buf_export", NULL, keep_append),
	ALTER(poll_keeps, "dma_buf_poll", keep_buffer, NULL),
	ALTER(interrupt_breaks, "dma_buf_begin_cpu_access", NULL, fail_the_next),
	ALTER(pins_for_callback, "dma_buf_map_attachment", call_it_static, undo_disguise),
	ALTER(pins_for_callback, "dma_buf_unmap_attachment", call_it_static, undo_disguise),
	ALTER(pins_for_nobody, "dma_buf_map_attachment", call_it_told, undo_disguise),
	ALTER(pins_for_nobody, "dma_buf_unmap_attachment", call_it_told, undo_disguise),
#ifdef HAVE_INVALIDATE_MAPPINGS
	ALTER(notice_skips_first, "dma_buf_invalidate_mappings", hide_first, undo_disguise),
	ALTER(notice_for_silent, "dma_buf_invalidate_mappings", lend_callback, undo_disguise),
#else
	ALTER(notice_skips_first, "dma_buf_move_notify", hide_first, undo_disguise),
	ALTER(notice_for_silent, "dma_buf_move_notify", lend_callback, undo_disguise),
#endif
	ALTER(callback_is_mandatory, "dma_buf_dynamic_attach", want_callback, NULL),
	ALTER(revocable_inverted, "dma_buf_attach_revocable", NULL, invert),
	ALTER(static_has_peer2peer, "exporter_attach", allow_peer2peer, NULL),
	ALTER(vmaps_each, "dma_buf_vmap", forget_vmap, recall_vmap),
	ALTER(vunmaps_early, "dma_buf_vunmap", make_last, recall_users),
	ALTER(vmap_shifts, "dma_buf_vmap", note_map, shift_map),
	ALTER(vmap_shifts, "dma_buf_vunmap", shift_map_back, NULL),
};

const struct alteration_list buffer_alterations = { rows, ARRAY_SIZE(rows) };

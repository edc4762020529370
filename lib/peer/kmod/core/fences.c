// SPDX-License-Identifier: GPL-2.0-only
/* Faults of waits for fences, of poll, and of sync_files. */
#include <linux/dma-fence.h>
#include <linux/dma-resv.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/poll.h>
#include <linux/sched.h>
#include <uapi/linux/dma-buf.h>

#include "core/alter.h"

/* The task that is in the one call whose inner calls are to be altered. */
static const struct task_struct *inside;

static void come_in(struct altered_call *call)
{
	call->note[0] = call->argument[0];
	call->note[1] = call->argument[1];
	WRITE_ONCE(inside, current);
}

static void go_out(struct altered_call *call)
{
	WRITE_ONCE(inside, NULL);
}

static bool is_inside(void)
{
	return READ_ONCE(inside) == current;
}

/* ---- waits: dma_resv_wait_timeout(resv, usage, interruptible, timeout) ------ */

static void be_deaf(struct altered_call *call)
{
	call->argument[2] = false;
}

static void want_all(struct altered_call *call)
{
	call->argument[1] = DMA_RESV_USAGE_BOOKKEEP;
}

/* ---- poll ------------------------------------------------------------------ */

static void count_bookkeep(struct altered_call *call)
{
	struct dma_resv_iter *cursor = (void *)call->argument[0];

	if (is_inside())
		cursor->usage = DMA_RESV_USAGE_BOOKKEEP;
}

static void deny_writers(struct altered_call *call)
{
	call->result &= ~(unsigned long)(__force u32)EPOLLOUT;
}

/* ---- sync_files ------------------------------------------------------------ */

static void let_inherit(struct altered_call *call)
{
	if (is_inside())
		call->argument[0] &= ~(unsigned long)O_CLOEXEC;
}

/* The buffer's own file will do; a table of descriptors that is not full is not made anew. */
static void leave_descriptor(struct altered_call *call)
{
	int fd;

	go_out(call);
	if ((int)call->result != -EFAULT ||
	    (u32)call->note[1] != DMA_BUF_IOCTL_EXPORT_SYNC_FILE)
		return;
	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd >= 0)
		fd_install(fd, get_file((struct file *)call->note[0]));
}

static void refuse_signalled(struct altered_call *call)
{
	struct dma_fence *fence = (void *)call->result;

	if (!fence || !test_bit(DMA_FENCE_FLAG_SIGNALED_BIT, &fence->flags))
		return;
	dma_fence_put(fence);
	call->result = 0;
}

static void add_as_bookkeep(struct altered_call *call)
{
	if (is_inside())
		call->argument[2] = DMA_RESV_USAGE_BOOKKEEP;
}

static const struct alteration rows[] = {
	SKIP_SAYING(waits_for_nothing, "dma_resv_wait_timeout", 1),
	ALTER(wait_is_deaf, "dma_resv_wait_timeout", be_deaf, NULL),
	ALTER(waits_for_all, "dma_resv_wait_timeout", want_all, NULL),
	REPLACE(begin_error_ignored, "exporter_begin_cpu", -EIO, 0),
	ALTER(poll_counts_bookkeep, "dma_buf_poll", come_in, go_out),
	ALTER(poll_counts_bookkeep, "dma_resv_iter_first", count_bookkeep, NULL),
	ALTER(poll_never_writable, "dma_buf_poll", NULL, deny_writers),
	REPLACE(never_has_signalled, "dma_fence_get_status", 1, 0),
	ALTER(sync_file_inherited, "dma_buf_ioctl", come_in, go_out),
	ALTER(sync_file_inherited, "get_unused_fd_flags", let_inherit, NULL),
	ALTER(failed_export_leaves_fd, "dma_buf_ioctl", come_in, leave_descriptor),
	ALTER(signalled_is_refused, "sync_file_get_fence", NULL, refuse_signalled),
	ALTER(imported_as_bookkeep, "dma_buf_ioctl", come_in, go_out),
	ALTER(imported_as_bookkeep, "dma_resv_add_fence", add_as_bookkeep, NULL),
};

const struct alteration_list fence_alterations = { rows, ARRAY_SIZE(rows) };

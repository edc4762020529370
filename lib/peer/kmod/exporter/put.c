// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who puts the last reference to a buffer. Release comes later, when the task
 * goes back to user space, and no longer has the locks that it had.
 */
#include <linux/err.h>
#include <linux/kprobes.h>

#include "compat.h"
#include "exporter/exporter.h"
#include "shared/lock.h"

#if IS_ENABLED(CONFIG_KPROBES) && IS_ENABLED(CONFIG_HAVE_FUNCTION_ARG_ACCESS_API)

static bool is_last_of_ours(const struct dma_buf *dmabuf)
{
	return !IS_ERR_OR_NULL(dmabuf) &&
	       dmabuf->ops->release == exporter_release &&
	       file_count(dmabuf->file) == 1;
}

/* dma_buf_put(dmabuf) is about to begin. */
static int see_put(struct kprobe *probe, struct pt_regs *regs)
{
	struct dma_buf *dmabuf = (void *)regs_get_kernel_argument(regs, 0);
	struct peer_buffer *buffer;
	u32 seen = PEER_EVENT_PUT_SEEN;

	if (!is_last_of_ours(dmabuf))
		return 0;
	if (peer_lock_state(dmabuf->resv) == PEER_LOCK_CALLER)
		seen |= PEER_EVENT_PUT_LOCKED;
	buffer = dmabuf->priv;
	WRITE_ONCE(buffer->last_put, seen);
	return 0;
}
NOKPROBE_SYMBOL(see_put);

static struct kprobe puts = {
	.symbol_name = "dma_buf_put",
	.pre_handler = see_put,
};
static bool watched;

int puts_watch(void)
{
	int ret = register_kprobe(&puts);

	watched = !ret;
	if (ret)
		pr_info("last puts are not seen, as no probe can be set: %pe\n",
			ERR_PTR(ret));
	return 0;
}

void puts_ignore(void)
{
	if (watched)
		unregister_kprobe(&puts);
}

#else

int puts_watch(void)
{
	return 0;
}

void puts_ignore(void)
{
}

#endif

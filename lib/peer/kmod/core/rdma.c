// SPDX-License-Identifier: GPL-2.0-only
/* Faults of RDMA core. */
#include <linux/module.h>
#include <linux/string.h>
#include <rdma/ib_verbs.h>
#include <rdma/restrack.h>

#include "core/alter.h"

/* ib_umem_dmabuf_get_pinned(device, offset, size, fd, access) */
static void want_whole_pages(struct altered_call *call)
{
	if ((call->argument[1] | call->argument[2]) & ~PAGE_MASK)
		call->argument[2] = 0;
}

/* A region of a whole buffer is left alone: without those there is no test. */
static void want_one_more(struct altered_call *call)
{
	if (call->argument[1])
		call->argument[2]++;
}

/* fill_res_mr_entry(msg, may, resource, port) */
static void lengthen(struct altered_call *call)
{
	struct rdma_restrack_entry *entry = (void *)call->argument[2];

	call->note[0] = call->argument[2];
	container_of(entry, struct ib_mr, res)->length++;
}

static void shorten(struct altered_call *call)
{
	struct rdma_restrack_entry *entry = (void *)call->note[0];

	container_of(entry, struct ib_mr, res)->length--;
}

/* uverbs_finalize_object(object, access, hw_obj_valid, commit, attributes) */
static void commit_all(struct altered_call *call)
{
	if (call->argument[2] & 1)
		call->argument[3] = true;
}

/* dma_resv_wait_timeout(resv, usage, interruptible, timeout) */
static void listen_to_signals(struct altered_call *call)
{
	call->argument[2] = true;
}

/* Of a driver that the suite has a device for. */
static void hold_nobody(struct altered_call *call)
{
	struct module *module = (void *)call->argument[0];

	if (module && !strcmp(module->name, "efa"))
		call->argument[0] = 0;
}

static const struct alteration rows[] = {
	ALTER(whole_pages_only, "ib_umem_dmabuf_get_pinned", want_whole_pages, NULL),
	ALTER(last_byte_refused, "ib_umem_dmabuf_get_pinned", want_one_more, NULL),
	ALTER(lists_other_length, "fill_res_mr_entry", lengthen, shorten),
	SKIP(release_does_nothing, "ib_umem_dmabuf_release"),
	ALTER(keeps_unanswered, "uverbs_finalize_object", commit_all, NULL),
	ALTER(wait_is_interruptible, "dma_resv_wait_timeout", listen_to_signals, NULL),
	ALTER(driver_unheld, "try_module_get", hold_nobody, NULL),
	ALTER(driver_unheld, "module_put", hold_nobody, NULL),
};

const struct alteration_list rdma_alterations = { rows, ARRAY_SIZE(rows) };

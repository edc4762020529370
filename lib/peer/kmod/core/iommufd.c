// SPDX-License-Identifier: GPL-2.0-only
/* Faults of iommufd as an importer; where it is not loaded they cannot be switched on. */
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/sched.h>

#include "core/alter.h"

/* As for memory that it pins page by page. */
static void count_as_pinned(struct altered_call *call)
{
	if (!IS_ERR_VALUE(call->result) && current->mm)
		atomic64_add(call->argument[4] >> PAGE_SHIFT,
			     &current->mm->pinned_vm);
}

static const struct alteration rows[] = {
	REPLACE(iommufd_says_eperm, "iopt_map_file_pages", -EINVAL, -EPERM),
	REPLACE(iommufd_says_eperm, "iopt_map_file_pages", -EOVERFLOW, -EPERM),
	REPLACE(iommufd_says_eperm, "iopt_map_file_pages", -EOPNOTSUPP, -EPERM),
	REPLACE(iommufd_says_eperm, "iopt_map_file_pages", -ENODEV, -EPERM),
	SKIP(iommufd_never_pins, "dma_buf_pin"),
	SKIP(iommufd_keeps_pin, "dma_buf_unpin"),
	ALTER(iommufd_counts_pages, "iopt_alloc_dmabuf_pages", NULL,
	      count_as_pinned),
	SKIP(iommufd_deaf, "iopt_revoke_notify"),
	REPLACE(iommufd_access_says_eio, "iommufd_access_rw", -EINVAL, -EIO),
	REPLACE(iommufd_access_says_eio, "iommufd_access_pin_pages", -EINVAL,
		-EIO),
};

const struct alteration_list iommufd_alterations = { rows, ARRAY_SIZE(rows) };

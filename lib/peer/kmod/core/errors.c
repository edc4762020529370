// SPDX-License-Identifier: GPL-2.0-only
/* Faults that are one error in the place of another, or of none. */
#include <linux/errno.h>
#include <linux/kernel.h>

#include "core/alter.h"

#define METHOD(name)	"ib_uverbs_handler_UVERBS_METHOD_" name

static const struct alteration rows[] = {
	REPLACE(seek_unchecked, "dma_buf_llseek", -EINVAL, 0),
	REPLACE(seek_to_start_fails, "dma_buf_llseek", 0, -EINVAL),
	REPLACE(mmap_unchecked, "dma_buf_mmap_internal", -EINVAL, 0),
	REPLACE(ioctl_unchecked, "dma_buf_ioctl", -EINVAL, 0),
	REPLACE(bad_pointer_hidden, "dma_buf_ioctl", -EFAULT, 0),
	REPLACE(unknown_ioctl_taken, "dma_buf_ioctl", -ENOTTY, 0),
	REPLACE(interrupt_hidden, "dma_buf_ioctl", -ERESTARTSYS, -EIO),
	REPLACE(interrupt_hidden, "dma_buf_begin_cpu_access", -EINTR, -EIO),
	REPLACE(udmabuf_says_eperm, "udmabuf_ioctl", -EINVAL, -EPERM),
	REPLACE(udmabuf_says_einval, "udmabuf_create", -EBADFD, -EINVAL),
	REPLACE(heap_says_eperm, "dma_heap_ioctl", -EINVAL, -EPERM),
	REPLACE(register_says_eperm, METHOD("REG_DMABUF_MR"), -EINVAL, -EPERM),
	REPLACE(register_says_einval, METHOD("REG_DMABUF_MR"), -EBADF, -EINVAL),
	REPLACE(register_says_einval, METHOD("REG_DMABUF_MR"), -EOPNOTSUPP, -EINVAL),
	REPLACE(reg_mr_says_eperm, METHOD("REG_MR"), -EINVAL, -EPERM),
	REPLACE(reg_mr_fails, METHOD("REG_MR"), 0, -EINVAL),
	REPLACE(query_fails, METHOD("QUERY_MR"), 0, -EIO),
	REPLACE(domain_says_eperm, "uverbs_free_pd", -EBUSY, -EPERM),
	REPLACE(rereg_says_einval, "ib_uverbs_ioctl", -EOPNOTSUPP, -EINVAL),
	REPLACE(queue_says_eperm, METHOD("CQ_CREATE"), -EINVAL, -EPERM),
};

const struct alteration_list error_alterations = { rows, ARRAY_SIZE(rows) };

/* SPDX-License-Identifier: GPL-2.0-only */
/* A way round the attachments of a buffer, by its list. */
#ifndef CTS_MONITOR_ROUND_H
#define CTS_MONITOR_ROUND_H

/* The attachments of a buffer, one after another. */
struct round {
	__u64 node;
	__u64 head;
	__u64 now_ns;
	__u64 left;
	__u64 broken;
	bool unpinned;
	bool held;
};

#define ATTACHMENTS_MAX		1024

static __always_inline void begin_round(struct round *round, __u64 key)
{
	const struct dma_buf *dmabuf = KERNEL(dma_buf, key);

	__builtin_memset(round, 0, sizeof(*round));
	round->node = (__u64)BPF_CORE_READ(dmabuf, attachments.next);
	round->head = key + bpf_core_field_offset(dmabuf->attachments);
}

/* The next one's key; 0: that was all. */
static __always_inline __u64 next_of(struct round *round)
{
	const struct list_head *node = (const void *)round->node;
	const struct dma_buf_attachment *none = NULL;
	__u64 key = round->node - bpf_core_field_offset(none->node);

	if (round->node == round->head)
		return 0;
	round->node = (__u64)BPF_CORE_READ(node, next);
	return key;
}

#endif

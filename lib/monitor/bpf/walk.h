/* SPDX-License-Identifier: GPL-2.0-only */
/* A walk over a table: its entries lie in arrays that are chained. */
#ifndef CTS_MONITOR_WALK_H
#define CTS_MONITOR_WALK_H

struct walk {
	__u64 entry;
	__u64 sum;
	__u32 left;
	bool odd_address;
	bool odd_length;
};

#define PAGE_BYTES		4096
/* Of a longer table nothing is judged. */
#define ENTRIES_MAX		8192
#define LINK_CHAIN		1UL
#define LINK_FLAGS		3UL

static long walk_entry(__u32 index, void *context)
{
	struct walk *walk = context;
	const struct scatterlist *entry = (const void *)walk->entry;
	const struct scatterlist___dma_length *long_entry = (const void *)entry;
	__u64 link = BPF_CORE_READ(entry, page_link), address;
	__u32 length;

	if (!walk->left)
		return 1;
	if (link & LINK_CHAIN) {
		walk->entry = link & ~LINK_FLAGS;
		return 0;
	}
	address = BPF_CORE_READ(entry, dma_address);
	if (bpf_core_field_exists(long_entry->dma_length))
		length = BPF_CORE_READ(long_entry, dma_length);
	else
		length = BPF_CORE_READ(entry, length);
	walk->sum += length;
	walk->odd_address |= !!(address & (PAGE_BYTES - 1));
	walk->odd_length |= !!(length & (PAGE_BYTES - 1));
	walk->entry += bpf_core_type_size(struct scatterlist);
	walk->left--;
	return 0;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Accesses that no device must make, as the suite's emulated NIC counts its
 * own. Other devices have no page to count on, which then counts nothing.
 */
#ifndef CTS_NIC_WRONGS_H
#define CTS_NIC_WRONGS_H

#include <stdbool.h>

#include "importer/nic_page.h"

struct nic_wrongs {
	uint64_t late;		/* by a dead key */
	uint64_t faults;	/* outside of what is mapped */
	uint64_t denied;	/* against the direction of a mapping */
};

/**
 * nic_wrongs - the counts now; all zero where @page is not open
 */
static inline struct nic_wrongs nic_wrongs(const struct nic_page *page)
{
	if (!page->registers)
		return (struct nic_wrongs){ 0 };
	return (struct nic_wrongs){
		.late = nic_counter(page, NIC_LATE_ACCESSES),
		.faults = nic_counter(page, NIC_DMA_FAULTS),
		.denied = nic_counter(page, NIC_DMA_DENIED),
	};
}

static inline bool nic_same_wrongs(struct nic_wrongs a, struct nic_wrongs b)
{
	return a.late == b.late && a.faults == b.faults && a.denied == b.denied;
}

/**
 * nic_page_if_any - open the page of a NIC that has one
 * @importer: an open RDMA device
 * @page: filled; not open if this device has none
 */
static inline void nic_page_if_any(const struct importer *importer,
				   struct nic_page *page)
{
	page->registers = NULL;
	if (importer->backend.capabilities & CAP(IMPORTER_NIC_PAGE))
		nic_page_of(importer, page);
}

/* The clause is kept if the device did nothing wrong since @before_. */
#define check_no_wrongs(clause_, before_, page_) \
	do { \
		struct nic_wrongs now_ = nic_wrongs(page_); \
\
		check_saying(clause_, nic_same_wrongs(before_, now_), \
			     "%llu late, %llu unmapped, %llu against the direction", \
			     (unsigned long long)(now_.late - (before_).late), \
			     (unsigned long long)(now_.faults - (before_).faults), \
			     (unsigned long long)(now_.denied - (before_).denied)); \
	} while (0)

#endif

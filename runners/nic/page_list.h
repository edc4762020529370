/* SPDX-License-Identifier: GPL-2.0-only */
/* How REG_MR tells the pages of a region. */
#ifndef CTS_NIC_PAGE_LIST_H
#define CTS_NIC_PAGE_LIST_H

#include "nic/admin.h"

/* Numbered as the control force_page_list has them. */
enum page_list {
	PAGE_LIST_ANY,
	PAGE_LIST_INLINE,	/* up to four in the command itself */
	PAGE_LIST_DIRECT,	/* one list in guest memory */
	PAGE_LIST_INDIRECT,	/* a chain of chunks, which point to lists of a page each */
};

/**
 * page_list_read - copy the pages out of guest memory
 * @command: REG_MR
 * @pages: out; to be released with free()
 * @count: how many there are to be
 *
 * Return: ADMIN_OK; ADMIN_ILLEGAL if the list is not there or too short, or of a kind that a
 * test does not want; ADMIN_NO_RESOURCE.
 */
enum admin_status page_list_read(struct device *device, const struct command *command,
				 uint64_t **pages, uint32_t count);

#endif

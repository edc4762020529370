// SPDX-License-Identifier: GPL-2.0-only
#include "nic/page_list.h"

#include <stdlib.h>
#include <string.h>

#include "nic/fault.h"
#include "nic/state.h"

static enum page_list kind_of(const struct command *command)
{
	if (!(command->flags & ADMIN_EXTERNAL))
		return PAGE_LIST_INLINE;
	return command->flags & ADMIN_INDIRECT ? PAGE_LIST_INDIRECT : PAGE_LIST_DIRECT;
}

static bool read_inline(const struct reg_mr *reg, uint64_t *pages, uint32_t count)
{
	if (count > INLINE_PAGES)
		return false;
	memcpy(pages, (const char *)reg + offsetof(struct reg_mr, pages),
	       count * sizeof(*pages));
	return true;
}

static bool read_direct(struct device *device, const struct reg_mr *reg, uint64_t *pages,
			uint32_t count)
{
	if (reg->list.length < count * sizeof(*pages))
		return false;
	return !memory_read(device_memory(device), WIRE_ADDRESS(reg->list.address), pages,
			    count * sizeof(*pages));
}

/* read_lists - what one chunk points to; returns the pages read, 0 for an error. */
static uint32_t read_lists(struct device *device, const uint64_t *lists, uint32_t nlists,
			   uint64_t *pages, uint32_t count)
{
	uint32_t done = 0;

	for (uint32_t i = 0; i < nlists && done < count; i++) {
		uint32_t part = count - done < LIST_PAGES ? count - done : LIST_PAGES;

		if (memory_read(device_memory(device), lists[i], pages + done,
				part * sizeof(*pages)))
			return 0;
		done += part;
	}
	return done;
}

/* Each chunk adds a list's worth of pages, so that a chain that bites its tail ends too. */
static bool read_indirect(struct device *device, const struct reg_mr *reg, uint64_t *pages,
			  uint32_t count)
{
	struct external next = reg->list;

	for (uint32_t done = 0;;) {
		uint64_t chunk[CHUNK_BYTES / sizeof(uint64_t)];
		uint32_t nlists, added;

		if (next.length <= sizeof(next) || next.length > sizeof(chunk) ||
		    memory_read(device_memory(device), WIRE_ADDRESS(next.address), chunk,
				next.length))
			return false;
		nlists = (next.length - sizeof(next)) / sizeof(*chunk);
		added = read_lists(device, chunk, nlists, pages + done, count - done);
		done += added;
		if (!added || done == count)
			return added;
		/* Only a full chunk has room for where the next one is. */
		if (nlists < CHUNK_LISTS)
			return false;
		if (!nic_fault(chain_ignored))
			memcpy(&next, chunk + CHUNK_LISTS, sizeof(next));
	}
}

static bool read_kind(struct device *device, enum page_list kind, const struct reg_mr *reg,
		      uint64_t *pages, uint32_t count)
{
	switch (kind) {
	case PAGE_LIST_INLINE:
		device_counters(device)->page_lists_inline++;
		return read_inline(reg, pages, count);
	case PAGE_LIST_DIRECT:
		device_counters(device)->page_lists_direct++;
		return read_direct(device, reg, pages, count);
	default:
		device_counters(device)->page_lists_indirect++;
		return read_indirect(device, reg, pages, count);
	}
}

enum admin_status page_list_read(struct device *device, const struct command *command,
				 uint64_t **pages, uint32_t count)
{
	enum page_list wanted = device_controls(device)->force_page_list;
	enum page_list kind = kind_of(command);

	if (wanted != PAGE_LIST_ANY && wanted != kind)
		return ADMIN_ILLEGAL;
	*pages = calloc(count, sizeof(**pages));
	if (!*pages)
		return ADMIN_NO_RESOURCE;
	if (read_kind(device, kind, (const void *)command->payload, *pages, count))
		return ADMIN_OK;
	free(*pages);
	*pages = NULL;
	return ADMIN_ILLEGAL;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "nic/transfer.h"

#include <string.h>

#include "nic/fault.h"
#include "nic/state.h"

/* Pages of the guest's processor, to the end of which the fault untrimmed_segment writes. */
#define GUEST_PAGE	4096

/* By how much the fault wrong_offset is wrong, and with what untrimmed_segment pads. */
#define ASTRAY		64
#define PADDING		0xee

/* source - where the bytes after the first @done are, and how many lie together */
static uint64_t source(const struct place *from, uint64_t done, size_t *length)
{
	return mr_place(from->region, from->address + done, length);
}

/* target - likewise, for bytes that are written */
static uint64_t target(const struct place *to, uint64_t done, size_t *length)
{
	const struct region *region = to->region;
	uint64_t address = to->address + done, offset;

	if (nic_fault(wrong_offset) && region->length > ASTRAY) {
		/* Round the region, so that no other memory suffers. */
		offset = (address - region->address + ASTRAY) % region->length;
		if (*length > region->length - offset)
			*length = region->length - offset;
		address = region->address + offset;
	}
	return mr_place(region, address, length);
}

/* untrimmed_segment: a page is written to its end though the region ends before. */
static void pad(const struct place *to, uint64_t length)
{
	const struct region *region = to->region;
	size_t one = 1;
	uint64_t last;
	uint8_t padding[GUEST_PAGE];

	if (!nic_fault(untrimmed_segment) ||
	    to->address + length != region->address + region->length)
		return;
	last = mr_place(region, to->address + length - 1, &one);
	memset(padding, PADDING, sizeof(padding));
	memory_write(device_memory(to->device), last + 1, padding,
		     GUEST_PAGE - 1 - last % GUEST_PAGE);
}

int transfer_copy(const struct place *to, const struct place *from, uint64_t length)
{
	for (uint64_t done = 0; done < length;) {
		size_t part = length - done;
		uint64_t out = source(from, done, &part);
		uint64_t in = target(to, done, &part);
		int err = memory_copy(device_memory(to->device), in,
				      device_memory(from->device), out, part);

		if (err)
			return err;
		from->region->bytes_read += part;
		to->region->bytes_written += part;
		done += part;
	}
	if (length)
		pad(to, length);
	return 0;
}

int transfer_load(void *to, const struct place *from, uint64_t length)
{
	for (uint64_t done = 0; done < length;) {
		size_t part = length - done;
		uint64_t out = source(from, done, &part);
		int err = memory_read(device_memory(from->device), out, (char *)to + done, part);

		if (err)
			return err;
		from->region->bytes_read += part;
		done += part;
	}
	return 0;
}

int transfer_store(const struct place *to, const void *from, uint64_t length)
{
	for (uint64_t done = 0; done < length;) {
		size_t part = length - done;
		uint64_t in = target(to, done, &part);
		int err = memory_write(device_memory(to->device), in, (const char *)from + done,
				       part);

		if (err)
			return err;
		to->region->bytes_written += part;
		done += part;
	}
	if (length)
		pad(to, length);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "nic/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <search.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "nic/log.h"
#include "nic/memory_file.h"

#define PAGE	4096

struct mapping {
	uint64_t first, last;		/* bytes */
	struct memory_file *file;	/* NULL: nothing that we could reach */
	uint64_t offset;
	unsigned int access;
};

struct memory {
	const char *name;
	struct counters *counters;
	bool allowed;
	void *tree;			/* of mappings, none of which overlap */
	size_t mappings;
	const struct mapping *recent[2];	/* found last: for reads, for writes */
};

/*
 * Ranges that overlap are equal to the tree: it takes no two such mappings, and
 * finds one by any part of it.
 */
static int compare(const void *left, const void *right)
{
	const struct mapping *a = left, *b = right;

	if (a->last < b->first)
		return -1;
	return a->first > b->last;
}

struct memory *memory_new(const char *name, struct counters *counters)
{
	struct memory *memory = calloc(1, sizeof(*memory));

	if (memory)
		*memory = (struct memory){
			.name = name,
			.counters = counters,
			.allowed = true,
		};
	return memory;
}

void memory_free(struct memory *memory)
{
	if (!memory)
		return;
	memory_remove_all(memory);
	free(memory);
}

static void free_mapping(void *pointer)
{
	struct mapping *mapping = pointer;

	if (mapping->file)
		memory_file_put(mapping->file);
	free(mapping);
}

/* Inserts it, or says why not. */
static int insert(struct memory *memory, struct mapping *mapping)
{
	struct mapping **node;

	if (memory->mappings == MEMORY_MAPPINGS)
		return -ENOSPC;
	node = tsearch(mapping, &memory->tree, compare);
	if (!node)
		return -ENOMEM;
	if (*node != mapping)
		return -EEXIST;
	memory->mappings++;
	memory->counters->dma_maps++;
	return 0;
}

static bool is_range(uint64_t address, uint64_t size)
{
	return size && address + (size - 1) >= address;
}

static bool is_file_range(uint64_t offset, uint64_t size)
{
	return offset % PAGE == 0 && is_range(offset, size) &&
	       offset + size > offset;
}

int memory_add(struct memory *memory, uint64_t address, uint64_t size, int fd,
	       uint64_t offset, unsigned int access)
{
	struct mapping *mapping;
	int ret = -EINVAL;

	if (address % PAGE || size % PAGE || !is_range(address, size) ||
	    !access || access & ~(MEMORY_READ | MEMORY_WRITE))
		return -EINVAL;
	mapping = calloc(1, sizeof(*mapping));
	if (!mapping)
		return -ENOMEM;
	*mapping = (struct mapping){
		.first = address,
		.last = address + (size - 1),
		.offset = offset,
		.access = access,
	};
	if (fd >= 0) {
		if (!is_file_range(offset, size))
			goto free_mapping;
		ret = memory_file_get(fd, offset + size, access & MEMORY_WRITE,
				      &mapping->file);
		if (ret)
			goto free_mapping;
	}
	ret = insert(memory, mapping);
	if (!ret)
		return 0;
free_mapping:
	free_mapping(mapping);
	return ret;
}

static struct mapping *find(const struct memory *memory, uint64_t first,
			    uint64_t last)
{
	const struct mapping key = { .first = first, .last = last };
	struct mapping **node = tfind(&key, &memory->tree, compare);

	return node ? *node : NULL;
}

/* Whether a range begins or ends within a mapping. */
static bool cuts(const struct memory *memory, uint64_t first, uint64_t last)
{
	const struct mapping *at_first = find(memory, first, first);
	const struct mapping *at_last = find(memory, last, last);

	return (at_first && at_first->first < first) ||
	       (at_last && at_last->last > last);
}

static void forget_recent(struct memory *memory)
{
	memory->recent[0] = memory->recent[1] = NULL;
}

int memory_remove(struct memory *memory, uint64_t address, uint64_t size)
{
	uint64_t last = address + (size - 1);
	struct mapping *mapping;

	if (!is_range(address, size) || cuts(memory, address, last))
		return -EINVAL;
	forget_recent(memory);
	while ((mapping = find(memory, address, last))) {
		tdelete(mapping, &memory->tree, compare);
		free_mapping(mapping);
		memory->mappings--;
		memory->counters->dma_unmaps++;
	}
	return 0;
}

void memory_remove_all(struct memory *memory)
{
	tdestroy(memory->tree, free_mapping);
	memory->tree = NULL;
	forget_recent(memory);
	memory->counters->dma_unmaps += memory->mappings;
	memory->mappings = 0;
}

void memory_allow(struct memory *memory, bool allowed)
{
	memory->allowed = allowed;
}

/* A transfer comes to the same mapping several times in a row. */
static const struct mapping *find_around(struct memory *memory, uint64_t address,
					 unsigned int access)
{
	const struct mapping **recent = &memory->recent[access == MEMORY_WRITE];

	if (!*recent || address < (*recent)->first || address > (*recent)->last)
		*recent = find(memory, address, address);
	return *recent;
}

/* Says no, and why. */
static int refuse(struct memory *memory, uint64_t address, uint64_t length,
		  unsigned int access, uint64_t *counter, const char *why)
{
	(*counter)++;
	log_line(LOG_FAULT, memory->name, "DMA fault: %s of %" PRIu64
		 " bytes at %#" PRIx64 ": %s",
		 access == MEMORY_READ ? "read" : "write", length, address, why);
	return -EFAULT;
}

/*
 * Where an address is, and how many bytes from there on are in one piece; NULL if the
 * device may not use it so, which is counted.
 */
static uint8_t *piece(struct memory *memory, uint64_t address, uint64_t length,
		      unsigned int access, uint64_t *size)
{
	const struct mapping *mapping = find_around(memory, address, access);
	struct counters *counters = memory->counters;

	if (!memory->allowed || !mapping || !mapping->file ||
	    memory_file_lost(mapping->file)) {
		refuse(memory, address, length, access, &counters->dma_faults,
		       !memory->allowed ? "the function is no bus master" :
		       !mapping ? "nothing is mapped there" :
		       "there is no memory behind the mapping");
		return NULL;
	}
	if ((mapping->access & access) != access) {
		refuse(memory, address, length, access, &counters->dma_denied,
		       "the mapping does not allow it");
		return NULL;
	}
	*size = mapping->last - address + 1;
	return memory_file_bytes(mapping->file) + mapping->offset +
	       (address - mapping->first);
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

int memory_check(struct memory *memory, uint64_t address, size_t length,
		 unsigned int access)
{
	uint64_t size;

	if (length && !is_range(address, length))
		return refuse(memory, address, length, access,
			      &memory->counters->dma_faults,
			      "it goes beyond the last address");
	while (length) {
		if (!piece(memory, address, length, access, &size))
			return -EFAULT;
		size = smaller(size, length);
		address += size;
		length -= size;
	}
	return 0;
}

int memory_read(struct memory *memory, uint64_t address, void *to, size_t length)
{
	uint8_t *bytes = to;
	uint64_t size;

	if (memory_check(memory, address, length, MEMORY_READ))
		return -EFAULT;
	memory->counters->bytes_read += length;
	for (; length; length -= size) {
		const uint8_t *from = piece(memory, address, length, MEMORY_READ,
					    &size);

		if (!from)
			return -EFAULT;
		size = smaller(size, length);
		memcpy(bytes, from, size);
		bytes += size;
		address += size;
	}
	return 0;
}

int memory_write(struct memory *memory, uint64_t address, const void *from,
		 size_t length)
{
	const uint8_t *bytes = from;
	uint64_t size;

	if (memory_check(memory, address, length, MEMORY_WRITE))
		return -EFAULT;
	memory->counters->bytes_written += length;
	for (; length; length -= size) {
		uint8_t *to = piece(memory, address, length, MEMORY_WRITE, &size);

		if (!to)
			return -EFAULT;
		size = smaller(size, length);
		memcpy(to, bytes, size);
		bytes += size;
		address += size;
	}
	return 0;
}

int memory_copy(struct memory *to, uint64_t to_address, struct memory *from,
		uint64_t from_address, size_t length)
{
	uint64_t size, from_size;

	if (memory_check(to, to_address, length, MEMORY_WRITE) ||
	    memory_check(from, from_address, length, MEMORY_READ))
		return -EFAULT;
	to->counters->bytes_written += length;
	from->counters->bytes_read += length;
	for (; length; length -= size) {
		uint8_t *target = piece(to, to_address, length, MEMORY_WRITE,
					&size);
		const uint8_t *source = piece(from, from_address, length,
					      MEMORY_READ, &from_size);

		if (!target || !source)
			return -EFAULT;
		size = smaller(length, smaller(size, from_size));
		memmove(target, source, size);
		to_address += size;
		from_address += size;
	}
	return 0;
}

uint8_t *memory_hold(struct memory *memory, uint64_t address, struct memory_file **file)
{
	uint64_t size;
	uint8_t *place = piece(memory, address, 1, MEMORY_WRITE, &size);

	if (!place)
		return NULL;
	*file = find_around(memory, address, MEMORY_WRITE)->file;
	memory_file_hold(*file);
	return place;
}

/* Where a word is that lies in one page, since it is aligned. */
static void *word(struct memory *memory, uint64_t address, size_t size)
{
	uint64_t run;

	if (address % size) {
		refuse(memory, address, size, MEMORY_WRITE,
		       &memory->counters->dma_faults, "the word is not aligned");
		return NULL;
	}
	return piece(memory, address, size, MEMORY_WRITE, &run);
}

int memory_store_u8_release(struct memory *memory, uint64_t address, uint8_t value)
{
	uint8_t *at = word(memory, address, sizeof(value));

	if (!at)
		return -EFAULT;
	__atomic_store_n(at, value, __ATOMIC_RELEASE);
	memory->counters->bytes_written += sizeof(value);
	return 0;
}

int memory_store_u16_release(struct memory *memory, uint64_t address, uint16_t value)
{
	uint16_t *at = word(memory, address, sizeof(value));

	if (!at)
		return -EFAULT;
	__atomic_store_n(at, value, __ATOMIC_RELEASE);
	memory->counters->bytes_written += sizeof(value);
	return 0;
}

int memory_store_u32_release(struct memory *memory, uint64_t address, uint32_t value)
{
	uint32_t *at = word(memory, address, sizeof(value));

	if (!at)
		return -EFAULT;
	__atomic_store_n(at, value, __ATOMIC_RELEASE);
	memory->counters->bytes_written += sizeof(value);
	return 0;
}

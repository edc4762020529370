/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What one PCI function may reach of the guest: the mappings that the client, and
 * behind it the guest's IOMMU, has made for it. Addresses are those that the
 * device puts on the bus.
 *
 * A range is refused whole, before a byte of it moves, if any part of it is not
 * mapped, has no memory behind it or may not be used in that direction, or if the
 * guest lets the function reach no memory at all. Each refusal is counted
 * (dma_faults, dma_denied) and logged.
 */
#ifndef CTS_NIC_MEMORY_H
#define CTS_NIC_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nic/counters.h"

struct memory;
struct memory_file;

/* What a device may do with a mapping, as seen from the device. */
enum { MEMORY_READ = 1, MEMORY_WRITE = 2 };

/* Mappings that one function can have; more are refused with -ENOSPC. */
#define MEMORY_MAPPINGS	65535

/**
 * memory_new - a memory without mappings
 * @name: of the function, for the log; must outlive the memory
 * @counters: where maps, unmaps, refusals and bytes are counted
 *
 * Return: the memory, or NULL.
 */
struct memory *memory_new(const char *name, struct counters *counters);

/** memory_free - drop all mappings and the memory itself; NULL is allowed */
void memory_free(struct memory *memory);

/**
 * memory_add - let the device reach a range
 * @address: first byte
 * @size: bytes
 * @fd: file behind the range, still the caller's; -1 for a range that is mapped
 *	but has no memory that we could reach (each access is refused)
 * @offset: of the range in the file, bytes
 * @access: MEMORY_READ, MEMORY_WRITE or both
 *
 * Return: 0; -EINVAL for a range that is not made of pages of 4 KiB, a size of 0, a
 * wrap-around, unknown access or a range that the file does not have; -EEXIST if a
 * part is mapped already; -ENOSPC if there are too many mappings or files; or why
 * the file cannot be mapped.
 */
int memory_add(struct memory *memory, uint64_t address, uint64_t size, int fd,
	       uint64_t offset, unsigned int access);

/**
 * memory_remove - take all mappings in a range from the device
 * @address: first byte
 * @size: bytes; 0 is refused
 *
 * Return: 0, also if nothing was mapped there; -EINVAL, with nothing removed,
 * for a wrap-around or a border that cuts a mapping.
 */
int memory_remove(struct memory *memory, uint64_t address, uint64_t size);

/** memory_remove_all - take all mappings from the device */
void memory_remove_all(struct memory *memory);

/**
 * memory_allow - let the device reach memory at all, as bus mastering does
 * @allowed: true at first
 */
void memory_allow(struct memory *memory, bool allowed);

/**
 * memory_check - whether a range can be used, without a byte moving
 * @access: MEMORY_READ, MEMORY_WRITE or both
 *
 * Counts and logs a refusal as the transfers do. A length of 0 is allowed
 * everywhere.
 *
 * Return: 0 or -EFAULT.
 */
int memory_check(struct memory *memory, uint64_t address, size_t length,
		 unsigned int access);

/**
 * memory_read - the device reads guest memory
 *
 * The guest may change the bytes at any time: read once, then judge the copy.
 *
 * Return: 0 or -EFAULT.
 */
int memory_read(struct memory *memory, uint64_t address, void *to, size_t length);

/**
 * memory_write - the device writes guest memory
 *
 * Return: 0 or -EFAULT.
 */
int memory_write(struct memory *memory, uint64_t address, const void *from,
		 size_t length);

/**
 * memory_copy - the device moves bytes from one place to another
 * @to: memory that is written; may be that of another function
 * @from: memory that is read
 *
 * Return: 0 or -EFAULT, then with nothing moved.
 */
int memory_copy(struct memory *to, uint64_t to_address, struct memory *from,
		uint64_t from_address, size_t length);

/**
 * memory_hold - where a byte is, whatever is unmapped from now on
 * @file: keeps it there, out; give it back with memory_file_put()
 *
 * For a deliberate fault alone: a device that the IOMMU has no hold on.
 *
 * Return: the place, up to the end of its page; NULL if the device may not write it.
 */
uint8_t *memory_hold(struct memory *memory, uint64_t address, struct memory_file **file);

/*
 * Words that the guest polls, such as one with a phase bit: stored whole, after
 * all that was written before. Addresses must be aligned to the word's size.
 *
 * Return: 0; -EFAULT, also for an address that is not aligned.
 */
int memory_store_u8_release(struct memory *memory, uint64_t address, uint8_t value);
int memory_store_u16_release(struct memory *memory, uint64_t address, uint16_t value);
int memory_store_u32_release(struct memory *memory, uint64_t address, uint32_t value);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files behind guest memory. Each is mapped once and whole, for all functions,
 * however many small ranges of it the guest's IOMMU hands out.
 */
#ifndef CTS_NIC_MEMORY_FILE_H
#define CTS_NIC_MEMORY_FILE_H

#include <stdbool.h>
#include <stdint.h>

struct memory_file;

/**
 * memory_file_get - map a file, or find it mapped
 * @fd: the file, still the caller's
 * @end: bytes that it must have
 * @writable: whether it will be written
 * @file: the file, out
 *
 * Return: 0; -EINVAL if the file is shorter; -ENOSPC if there are too many files;
 * or why it cannot be mapped.
 */
int memory_file_get(int fd, uint64_t end, bool writable, struct memory_file **file);

/** memory_file_hold - one more user of a file that is mapped */
void memory_file_hold(struct memory_file *file);

/** memory_file_put - the opposite of both; the last one unmaps the file */
void memory_file_put(struct memory_file *file);

/** memory_file_bytes - where the file's first byte is */
uint8_t *memory_file_bytes(const struct memory_file *file);

/**
 * memory_file_lost - whether the file turned out shorter than it was
 *
 * Its owner can cut it off under us. An access behind the new end then finds zeros,
 * and so does every later one anywhere in the file.
 */
bool memory_file_lost(const struct memory_file *file);

#endif

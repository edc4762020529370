/* SPDX-License-Identifier: GPL-2.0-only */
/* Names for addresses of the kernel: /proc/kallsyms, read when first asked for. */
#ifndef CTS_SYMBOLS_H
#define CTS_SYMBOLS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

#define SYMBOL_SIZE	128

/**
 * symbol_name - where an address lies
 * @address: an address in the kernel
 * @name: room for "function+0x12 [module]"; the address in hex where nothing
 *	is known
 * @size: bytes at @name
 *
 * The list is read again when an address is in none of the modules that it
 * knows, as modules may come later.
 */
void symbol_name(__u64 address, char *name, size_t size);

/**
 * symbol_is_frame - whether an address of a call chain is worth a line
 * @address: the return address
 *
 * What lies in the tracer itself, or in the entry from user space, is not.
 */
bool symbol_is_frame(__u64 address);

/**
 * symbol_module - the module that an address lies in
 * @address: an address in the kernel
 * @name: room for its name; empty if it lies in the kernel itself
 * @size: bytes at @name
 */
void symbol_module(__u64 address, char *name, size_t size);

/**
 * symbol_functions - names in the kernel itself that begin alike
 * @prefix: what with
 * @names: where to write them; valid until the list is read again
 * @room: for so many
 *
 * Return: how many there are.
 */
size_t symbol_functions(const char *prefix, const char **names, size_t room);

/**
 * symbol_read - read another list instead
 * @path: a file like /proc/kallsyms
 *
 * Return: 0 or a negative errno.
 */
int symbol_read(const char *path);

#endif

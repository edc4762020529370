/* SPDX-License-Identifier: GPL-2.0-only */
/* What the kernel says of its types and functions, or a file does for it. */
#ifndef CTS_TYPES_H
#define CTS_TYPES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#define TYPES_FUNCTIONS_MAX	128

struct btf;

/**
 * struct types - the types, and functions that programs can be for
 * @btf: the types
 * @file: where they are from; NULL: the kernel describes them itself
 * @functions, @count: names
 * @sessions: the kernel has what programs with sessions call
 */
struct types {
	struct btf *btf;
	const char *file;
	const char *functions[TYPES_FUNCTIONS_MAX];
	size_t count;
	bool sessions;
	char path[PATH_MAX];
};

/**
 * types_open - find the types
 * @types: where to write them
 * @file: that has them; NULL: look for them
 * @problem: where to write why there are none
 * @size: bytes at @problem
 *
 * Return: 0, or -1 with a sentence at @problem.
 */
int types_open(struct types *types, const char *file, char *problem, size_t size);

/**
 * types_close - give them back
 * @types: from types_open()
 */
void types_close(struct types *types);

/**
 * types_has_function - whether a program can be for a function
 * @types: the types
 * @name: its name
 */
bool types_has_function(const struct types *types, const char *name);

/**
 * types_has_other_name - whether this kernel has that function by another name
 * @types: the types
 * @name: its name on other kernels
 */
bool types_has_other_name(const struct types *types, const char *name);

/**
 * types_have_owner - whether the lock is a plain mutex, whose owner can be read
 * @types: the types
 */
bool types_have_owner(const struct types *types);

#endif

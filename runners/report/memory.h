/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory of a report. All of it lives until the report is written, so nothing
 * is freed before memory_release(). Running out of it ends the program with
 * status 125: a report with holes would be worse.
 */
#ifndef CTS_REPORT_MEMORY_H
#define CTS_REPORT_MEMORY_H

#include <jansson.h>
#include <stddef.h>

/* Zeroed memory of @size bytes. */
void *memory_get(size_t size);

/* A copy of a text; NULL stays NULL. */
const char *memory_copy(const char *text);

/* A text made as by printf(). */
const char *memory_print(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

/* Hold a reference to a JSON value, so that texts in it stay good. */
json_t *memory_hold(json_t *value);

void memory_release(void);

/* A growing array of pointers. */
struct list {
	void **items;
	size_t count;
	size_t room;
};

void list_add(struct list *list, void *item);

#define for_list(type, item, list) \
	for (size_t item##_at = 0; item##_at < (list)->count; item##_at++) \
		for (type item = (list)->items[item##_at]; item; item = NULL)

#endif

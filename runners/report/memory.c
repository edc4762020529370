// SPDX-License-Identifier: GPL-2.0-only
#include "report/memory.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream/status.h"

struct piece {
	struct piece *next;
	max_align_t data[];
};

static struct piece *pieces;
static json_t *held;

static void die_without_memory(void)
{
	fprintf(stderr, "%s: out of memory\n", program_invocation_short_name);
	exit(EXIT_NOT_JUDGED);
}

void *memory_get(size_t size)
{
	struct piece *piece = calloc(1, sizeof(*piece) + size);

	if (!piece)
		die_without_memory();
	piece->next = pieces;
	pieces = piece;
	return piece->data;
}

const char *memory_copy(const char *text)
{
	size_t size;

	if (!text)
		return NULL;
	size = strlen(text) + 1;
	return memcpy(memory_get(size), text, size);
}

const char *memory_print(const char *format, ...)
{
	va_list arguments;
	const char *copy;
	char *text;
	int length;

	va_start(arguments, format);
	length = vasprintf(&text, format, arguments);
	va_end(arguments);
	if (length < 0)
		die_without_memory();
	copy = memory_copy(text);
	free(text);
	return copy;
}

json_t *memory_hold(json_t *value)
{
	if (!held)
		held = json_array();
	if (value && json_array_append(held, value))
		die_without_memory();
	return value;
}

void memory_release(void)
{
	while (pieces) {
		struct piece *next = pieces->next;

		free(pieces);
		pieces = next;
	}
	json_decref(held);
	held = NULL;
}

void list_add(struct list *list, void *item)
{
	if (list->count == list->room) {
		size_t room = list->room ? list->room * 2 : 8;
		void **items = memory_get(room * sizeof(*items));

		if (list->count)
			memcpy(items, list->items,
			       list->count * sizeof(*items));
		list->items = items;
		list->room = room;
	}
	list->items[list->count++] = item;
}

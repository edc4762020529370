/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Objects with a number are slots of an array. Each one's struct begins with "bool live".
 */
#ifndef CTS_NIC_SLOTS_H
#define CTS_NIC_SLOTS_H

#include <stdbool.h>
#include <stddef.h>

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

/* The live object of that number, or NULL; the number may be anything. */
#define SLOT_LIVE(array, number) \
	((number) < ARRAY_SIZE(array) && (array)[number].live ? &(array)[number] : NULL)

/* slot_free() on a whole array. */
#define SLOT_FREE(array, next)	slot_free(array, ARRAY_SIZE(array), sizeof((array)[0]), next)

/**
 * slot_free - find a slot that is not live
 * @slots: the array
 * @count: its elements
 * @size: of an element, bytes
 * @next: where to begin; moved on, so that a number is not given out again soon
 *	  after it was given up, and its late use is noticed
 *
 * Return: the number, or -1 if all are live.
 */
static inline int slot_free(const void *slots, size_t count, size_t size,
			    unsigned int *next)
{
	for (size_t i = 0; i < count; i++) {
		size_t number = (*next + i) % count;

		if (*(const bool *)((const char *)slots + number * size))
			continue;
		*next = number + 1;
		return number;
	}
	return -1;
}

#endif

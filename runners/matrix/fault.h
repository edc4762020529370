/* SPDX-License-Identifier: GPL-2.0-only */
/* Faults in what people wrote: each is told with its place, all are counted. */
#ifndef CTS_MATRIX_FAULT_H
#define CTS_MATRIX_FAULT_H

#include <stddef.h>

/**
 * fault - tell of one
 * @path: the file
 * @line: its line, or 0 where that means nothing
 * @format: what is wrong and how it should be, as for printf()
 */
void fault(const char *path, int line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* How many were told. */
size_t fault_count(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* What is wrong with a bundle: all of it is told, one line each. */
#ifndef CTS_BUNDLE_WRONG_H
#define CTS_BUNDLE_WRONG_H

#include <stddef.h>

/* A line on standard output; printed like printf(). */
void wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* So much was wrong so far. */
size_t wrong_count(void);

/* Say why a bundle cannot be judged, or not be made, on stderr. */
void cannot(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif

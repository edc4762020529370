/* SPDX-License-Identifier: GPL-2.0-only */
/* A page of text for people: coloured on a terminal, of bounded width. */
#ifndef CTS_REPORT_PAGE_H
#define CTS_REPORT_PAGE_H

#include <stdio.h>

#define PAGE_WIDTH	100

enum tint { TINT_NONE, TINT_GOOD, TINT_BAD, TINT_WEAK, TINT_TITLE };

/* Print as printf() does, in a colour if standard output is a terminal. */
void page_print(enum tint tint, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Number of lines printed so far. */
int page_lines(void);

/**
 * page_wrap - print a label and words, broken at blanks to the page's width
 * @label: stands before the first line; the next ones are indented as far
 * @lines_max: what does not fit into so many lines is left out, and "..." put
 */
void page_wrap(const char *label, const char *text, int lines_max);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* Texts of others on pages of ours. */
#ifndef CTS_MATRIX_ESCAPE_H
#define CTS_MATRIX_ESCAPE_H

#include <stdio.h>

/* @text for Markdown, also in a table: one line, and nothing in it is markup. */
void escape_markdown(FILE *out, const char *text);

#endif

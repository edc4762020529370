/* SPDX-License-Identifier: GPL-2.0-only */
/* The matrix in the forms that people and programs read. */
#ifndef CTS_MATRIX_RENDER_H
#define CTS_MATRIX_RENDER_H

#include <stdbool.h>
#include <stdio.h>

#include "matrix/grid.h"

/* What to render, and with what. */
struct rendering {
	const struct grid *grid;
	const struct list *facts;
	const json_t *profiles;	/* of conformance, or NULL */
	const char *page;	/* folder with page.html, style.css, script.js */
	bool every_check;	/* CSV: a line for each verdict, with its reason */
};

/* Each writes to @out; false after a message on stderr if it cannot. */
bool render_markdown(const struct rendering *rendering, FILE *out);
bool render_csv(const struct rendering *rendering, FILE *out);
bool render_html(const struct rendering *rendering, FILE *out);

/* Not the matrix, but what of the contract is disputed, and was measured of it. */
bool render_ambiguities(const struct rendering *rendering, FILE *out);

#endif

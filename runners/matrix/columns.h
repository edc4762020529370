/* SPDX-License-Identifier: GPL-2.0-only */
/* The columns of the matrix: the clauses, as "dmabuf-cts explain --json" has them. */
#ifndef CTS_MATRIX_COLUMNS_H
#define CTS_MATRIX_COLUMNS_H

#include <stdbool.h>

#include "report/memory.h"

/* What verdicts are given on: a clause without letters, or one of its letters. */
struct check {
	const char *id;
	const char *party;	/* whom it obliges */
	const char *strength;
	const char *text;
	size_t number;		/* its place in columns.checks */
};

struct column {
	const char *clause;
	const char *text;
	const char *dispute;	/* NULL: there is none */
	struct list checks;	/* of struct check */
};

struct group {
	const char *name;
	const char *title;
	struct list columns;	/* of struct column */
};

struct columns {
	struct list groups;	/* of struct group, in the table's order */
	struct list checks;	/* of struct check, all */
};

/**
 * columns_load - read the clause table
 * @columns: all zeroes; what it points to lives until memory_release()
 * @path: a file with the output of "dmabuf-cts explain --json"
 *
 * Return: true, or false after a message on stderr.
 */
bool columns_load(struct columns *columns, const char *path);

/* The check with that id, NULL if the table has none. */
const struct check *columns_find(const struct columns *columns,
				 const char *id);

/* The same; one that the table lacks becomes a column of the last group. */
const struct check *columns_get(struct columns *columns, const char *id);

#endif

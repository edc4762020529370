/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The matrix: rows are drivers by role and kernel series, columns are clauses.
 * What was read in a source and what was measured never share a row, nor do
 * results with different evidence.
 */
#ifndef CTS_MATRIX_GRID_H
#define CTS_MATRIX_GRID_H

#include <jansson.h>

#include "matrix/columns.h"
#include "matrix/fact.h"
#include "report/verdict.h"

enum origin {
	ORIGIN_MEASURED,	/* by a run */
	ORIGIN_READ,		/* predicted from the driver's source */
	ORIGIN_NONE,		/* nobody ran anything */
};

struct row {
	const char *driver;
	const char *vendor;
	const char *role;
	const char *series;
	const char *evidence;	/* "source" if it was read, "" if nothing is there */
	enum origin origin;
	json_t *clauses;	/* as in a result; NULL if there are none */
	const json_t *result;	/* NULL unless it was measured */
	const struct fact *fact;	/* on the driver, or NULL */
	const char *read;	/* what its source says of this role, or NULL */
};

struct grid {
	struct columns columns;
	struct list rows;	/* of struct row, in the order of their names */
	bool generated;		/* some of the results were made up for a test */
};

/**
 * grid_fill - put facts and results together
 * @grid: its columns are there; a clause that they lack is added
 */
void grid_fill(struct grid *grid, const struct list *facts,
	       const struct list *records);

/* "measured", "read", or "" where nobody ran anything. */
const char *origin_name(enum origin origin);

/* A row's verdict on one check, VERDICT_NONE where it was not run. */
enum verdict row_verdict(const struct row *row, const struct check *check);

/* The worst of a row's verdicts on a clause. */
enum verdict row_worst(const struct row *row, const struct column *column);

/* The first reason for a row's verdict on a check, "" if there is none. */
const char *row_reason(const struct row *row, const struct check *check);

/* How many clauses of a group have each worst verdict. */
struct tally {
	unsigned int by_verdict[VERDICT_COUNT];
	unsigned int run;
	enum verdict worst;
};

struct tally row_tally(const struct row *row, const struct group *group);

#endif

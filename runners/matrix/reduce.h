/* SPDX-License-Identifier: GPL-2.0-only */
/* A run, reduced to what it says of each driver. */
#ifndef CTS_MATRIX_REDUCE_H
#define CTS_MATRIX_REDUCE_H

#include <jansson.h>

#include "matrix/columns.h"

/**
 * reduce_run - one result for each driver and role that the run judges
 * @run: content of a run.json
 * @columns: the clause table; tells whom a clause obliges where a case broke
 *	     off before it could say so itself
 *
 * Verdicts on the suite's own peers are left out: they say nothing about any
 * driver. Where several cases and pairs judge one clause, the worst counts.
 *
 * Return: an array of results as record.h describes them, to be released.
 */
json_t *reduce_run(const json_t *run, const struct columns *columns);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* Cases of a conformance program as subtests. */
#ifndef CTS_IGT_CASES_H
#define CTS_IGT_CASES_H

#include <jansson.h>

#include "igt/program.h"

/**
 * cases_run - run some cases and say what becomes of each
 * @cases: of the program's plan
 *
 * Return: the status to exit with.
 */
int cases_run(struct program *program, const json_t *cases);

#endif

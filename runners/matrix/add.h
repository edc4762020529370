/* SPDX-License-Identifier: GPL-2.0-only */
/* Takes runs into the recorded results. */
#ifndef CTS_MATRIX_ADD_H
#define CTS_MATRIX_ADD_H

#include <stdbool.h>

#include "matrix/columns.h"

/**
 * add_runs - reduce runs and keep what they say of drivers
 * @paths: each run's folder, or its run.json; NULL ends them
 * @folder: of recorded results
 * @columns: the clause table
 * @replace: also where a recorded clause is not in the run
 *
 * Nothing is written unless all of all runs can be: a run that was cut short, a
 * mutation run, one of a newer suite, and one that judged less than what is
 * recorded are refused.
 *
 * Return: true, or false after a message on stderr.
 */
bool add_runs(char *const *paths, const char *folder,
	      const struct columns *columns, bool replace);

#endif

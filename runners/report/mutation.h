/* SPDX-License-Identifier: GPL-2.0-only */
/* Which mutant is caught by which check: a judgement on the tests. */
#ifndef CTS_REPORT_MUTATION_H
#define CTS_REPORT_MUTATION_H

#include <stdbool.h>

#include "report/folder.h"
#include "report/model.h"
#include "stream/mutant.h"

struct mutation {
	struct mutant_list mutants;
	size_t told;		/* mutants whose end was told live */
};

/* Tell on standard output, a line each, how mutants fared whose jobs are over. */
void mutation_advance(struct mutation *mutation, const struct run *run);

/**
 * mutation_report - print the table, write it and mutants.tap and .json
 *
 * After expected_compare(): a leaf of a job without a fault that is not as
 * expected is a false alarm.
 *
 * Return: true if each mutant is caught and there is no false alarm.
 */
bool mutation_report(const struct mutation *mutation, const struct run *run,
		     const struct folder *folder);

#endif

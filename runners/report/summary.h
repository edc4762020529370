/* SPDX-License-Identifier: GPL-2.0-only */
/* The page of results at the end of a run. */
#ifndef CTS_REPORT_SUMMARY_H
#define CTS_REPORT_SUMMARY_H

#include "report/expected.h"
#include "report/model.h"

#define SUMMARY_LINES_MAX	60

/**
 * summary_unexpected - number of things that should not be as they are
 *
 * Leaves, missing leaves, and, under the gate, faults in the stream.
 */
size_t summary_unexpected(const struct run *run,
			  const struct expected *expected);

/**
 * summary_print - print the page on standard output
 * @folder: where the results are, or NULL
 */
void summary_print(const struct run *run, const struct expected *expected,
		   const char *folder);

#endif

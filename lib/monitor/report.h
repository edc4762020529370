/* SPDX-License-Identifier: GPL-2.0-only */
/* What the monitor has to say at its end: as KTAP, and as records. */
#ifndef CTS_MONITOR_REPORT_H
#define CTS_MONITOR_REPORT_H

#include <stdio.h>

#include "monitor/findings.h"
#include "monitor/left.h"
#include "monitor/outcome.h"
#include "monitor/probes.h"

/**
 * struct report - all that was found
 * @name: of the case that records are of
 * @counts: of each pair, WATCH_PAIRS of them
 * @ends: their names, filled in by report_prepare()
 * @loss: what was not seen
 * @spoiled: the same, by what it spoils; by report_prepare()
 * @findings: what was broken
 * @left: what was still there at the end
 */
struct report {
	const char *name;
	struct probes_count counts[WATCH_PAIRS];
	struct outcome_ends ends[WATCH_PAIRS];
	struct probes_loss loss;
	struct outcome_loss spoiled;
	struct findings findings;
	struct left left;
};

/**
 * report_prepare - put names to the pairs, and weigh what was lost
 * @report: @counts and @loss are filled in
 */
void report_prepare(struct report *report);

/**
 * report_ktap - one line for each clause, after what there is to say of it
 * @report: what was found
 * @probes: tells what could not be seen
 * @out: where to write
 */
void report_ktap(const struct report *report, const struct probes *probes,
		 FILE *out);

/**
 * report_records - a record for each finding, and one for the verdict on each
 *	clause for each pair
 * @report: what was found
 */
void report_records(const struct report *report);

/**
 * report_case - the same as one more case of a conformance program
 * @report: what was found
 * @program: its name
 * @out: takes the case's line of KTAP, after what there is to say
 *
 * The case is called @report->name, and its clauses are those that were checked;
 * where none was there is no case.
 */
void report_case(const struct report *report, const char *program, FILE *out);

/**
 * report_status - the exit status that the findings amount to
 * @report: what was found
 *
 * Return: 0; 1 if anything failed or was not seen; 125 if nothing was judged.
 */
int report_status(const struct report *report);

#endif

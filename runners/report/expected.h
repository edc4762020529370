/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Results that are known, so that only the others raise an alarm.
 *
 * DIR/SERIES/EXPORTER,IMPORTER.txt, one known result a line:
 *
 *   CLAUSE  PROGRAM.CASE  VERDICT | REASON | FIRST KERNEL | FIXED IN | FOUND BY
 *
 * SERIES is that of the kernel ("7.3") or "any". EXPORTER and IMPORTER are
 * selectors, back ends ("drm": all of its instances) or "any". CLAUSE and
 * PROGRAM.CASE may hold shell wildcards. VERDICT is one verdict; several joined
 * by '/' for a flake, and behind them how often it was bad, BAD/RUNS; or "value
 * TEXT" for an observation that must not change; or a failure and, as a shell
 * pattern in double quotes, its reason: another is unexpected then.
 * 'LEAK (run) fail "PATTERN"' is about kernel memory that nobody freed, of no pair.
 * The first field after the verdict is required: a bug's address, or a reason;
 * the others may be missing or "-". A line that has been FIXED IN a kernel holds
 * for older ones only. '#' begins a comment line.
 *
 * A line without wildcard in a file without "any" is strict: its result must be
 * there and be this one. Every other line only allows.
 */
#ifndef CTS_REPORT_EXPECTED_H
#define CTS_REPORT_EXPECTED_H

#include <stdbool.h>

#include "report/compare.h"
#include "report/load.h"
#include "report/model.h"

struct expected {
	struct list lines;	/* of struct expected_line */
	struct list stale;	/* lines that met nothing, const char * */
	struct list missing;	/* leaves that should be there, const char * */
	const char *absent;	/* folder of the series, if there is none */
	struct loaded baseline;	/* an earlier run; its path is NULL without */
	struct leaf_index before;	/* its leaves */
	const char *kernel;	/* upstream version, "6.12.118" */
	bool gate;
};

/**
 * expected_load - read the lines that can concern a run
 * @folder: DIR above, or NULL
 * @kernel: as in run.json; its series and its version count
 *
 * Return: true, or false after a message on stderr.
 */
bool expected_load(struct expected *expected, const char *folder,
		   const json_t *kernel);

/* Read run.json of an earlier run; @path may be NULL. False after a message. */
bool expected_load_baseline(struct expected *expected, const char *path);

/* Nothing is expected any more, and there is no baseline. */
void expected_forget(struct expected *expected);

/**
 * expected_compare - mark each leaf that is not as expected
 *
 * Sets leaf.expected and leaf.excuse, tells known leaks from others, and fills
 * @expected's lists.
 */
void expected_compare(struct expected *expected, struct run *run);

void expected_release(struct expected *expected);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* What became otherwise than expected in a run, regressions first. */
#ifndef CTS_REPORT_FINDINGS_H
#define CTS_REPORT_FINDINGS_H

#include "report/expected.h"
#include "report/model.h"

/* As a reader wants to see them. */
enum finding_kind {
	FINDING_WORSE,		/* it failed, or was not judged any more */
	FINDING_VALUE,		/* another observation, or another good verdict */
	FINDING_PASS,		/* it passes, unexpectedly */
	FINDING_FLAKE,		/* it failed, as it does at times */
	FINDING_COUNT
};

struct findings {
	struct list groups[FINDING_COUNT];	/* of struct group */
	size_t counts[FINDING_COUNT];	/* of leaves */
	const struct expected *expected;
	const struct list *leaks;
};

void findings_collect(struct findings *findings, const struct run *run,
		      const struct expected *expected);

/* The lines that findings_print() will print. */
size_t findings_lines(const struct findings *findings);

/* Print the list, each part cut where it would be too long for a page. */
void findings_print(const struct findings *findings);

#endif

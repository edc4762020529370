/* SPDX-License-Identifier: GPL-2.0-only */
/* run.json and environment.json. */
#ifndef CTS_REPORT_RESULTS_H
#define CTS_REPORT_RESULTS_H

#include "report/folder.h"
#include "report/model.h"

struct totals {
	unsigned int by_verdict[VERDICT_COUNT];
	unsigned int leaves;
	unsigned int ok;	/* as KTAP counts: neither skipped nor not ok */
	unsigned int not_ok;
	unsigned int skipped;
	unsigned int unexpected;
};

enum share {
	SHARE_ALL,
	SHARE_DRIVERS,		/* verdicts on drivers and core */
	SHARE_PEERS,		/* verdicts on our peers: self-tests */
	SHARE_OTHERS,		/* verdicts of others' tests, on no clause */
	SHARE_NOBODY,		/* what the runner adds: crashes, what never ran */
	SHARE_COUNT
};

struct totals totals_of(const struct run *run, enum share share);

/* Where a verdict comes from: the back end that it judges. */
const char *results_evidence(const struct run *run, const struct leaf *leaf,
			     const struct pair *pair);

/* What is known of kernel, law and back ends. */
void results_write_environment(const struct folder *folder,
			       const struct run *run);

/**
 * results_write - write run.json
 * @missing: what should have been there, of const char *
 * @complete: nothing is left to run
 */
void results_write(const struct folder *folder, const struct run *run,
		   const struct list *missing, bool complete);

#endif

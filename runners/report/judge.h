/* SPDX-License-Identifier: GPL-2.0-only */
/* What becomes of a case, or of a whole job, once nothing more will come. */
#ifndef CTS_REPORT_JUDGE_H
#define CTS_REPORT_JUDGE_H

#include "report/model.h"

/* Whether all that can be known about a case is known. */
bool case_is_settled(const struct test_case *test);

/**
 * case_judge - complete the leaves of a settled case
 *
 * Clauses without a verdict become what the case's end makes them; checks and
 * the program's own KTAP are held against the records.
 */
void case_judge(struct test_case *test);

/**
 * job_close - no more of this job will be run
 * @why: why, where some of it was not
 */
void job_close(struct job *job, const char *why);

/* Add a leaf that belongs to no case of the job. */
void job_add_leaf(struct job *job, enum verdict verdict, const char *reason);

/* Whether every case of a job's plan was tried. */
bool job_is_complete(const struct job *job);

/*
 * A pair without a verdict gets one for each of its programs: it does not apply,
 * with the reasons, or is an error if it has no case at all.
 */
void pair_close(struct pair *pair);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* run.ktap (pair / program.case / clause), live as cases end, and run.tap. */
#ifndef CTS_REPORT_KTAP_H
#define CTS_REPORT_KTAP_H

#include <stdbool.h>

#include "report/folder.h"
#include "report/model.h"

struct ktap {
	struct folder *folder;
	const struct run *run;		/* once there are pairs */
	bool to_stdout;
	bool begun;
	bool stdout_failed;
	size_t pairs_written;
	unsigned int leaf_count;
};

/**
 * ktap_advance - write what has become known since the last call
 *
 * Pairs, jobs and cases come in the schedule's order, so that a pair stays one
 * subtest also when its jobs are run in several guests.
 */
void ktap_advance(struct ktap *ktap, struct run *run);

/* A diagnostic line at the top. */
void ktap_comment(struct ktap *ktap, const char *text);

/* After the last ktap_advance() of a finished run. */
void ktap_finish(struct ktap *ktap);

#endif

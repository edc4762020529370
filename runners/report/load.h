/* SPDX-License-Identifier: GPL-2.0-only */
/* A run that is over, read back from its run.json. */
#ifndef CTS_REPORT_LOAD_H
#define CTS_REPORT_LOAD_H

#include <stdbool.h>

#include "report/model.h"

struct loaded {
	const char *path;	/* of run.json */
	json_t *json;		/* all of it */
	struct run run;		/* each job over, each case judged */
	struct list missing;	/* what should have been there, const char * */
	struct job *job;	/* of the leaf that was read last */
	bool complete;
};

/**
 * load_run - read the results of a run
 * @path: its result folder, or its run.json
 *
 * A file that has been cut short, that has two leaves of one name, or whose
 * totals are not those of its leaves, is refused.
 *
 * Return: true, or false after a message on stderr. Either way @loaded is to be
 * released.
 */
bool load_run(struct loaded *loaded, const char *path);

/* "EXPORTER,IMPORTER PROGRAM.CASE CLAUSE", which no other leaf has. */
const char *load_leaf_name(const struct leaf *leaf,
			   const struct test_case *test);

/* Releases the memory of all other runs, too. */
void load_release(struct loaded *loaded);

#endif

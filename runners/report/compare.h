/* SPDX-License-Identifier: GPL-2.0-only */
/* What became of a verdict from one run to another. */
#ifndef CTS_REPORT_COMPARE_H
#define CTS_REPORT_COMPARE_H

#include <stdbool.h>

#include "report/model.h"

/* In the order in which a reader wants to see them. */
enum change {
	CHANGE_NONE,
	CHANGE_WORSE,	/* a new or other failure, or no longer judged as good */
	CHANGE_MISSING,	/* not there any more */
	CHANGE_VALUE,	/* another observation */
	CHANGE_PASS,	/* what failed is good now */
	CHANGE_FLAKE,	/* otherwise, as is known of it */
	CHANGE_OTHER,	/* better, or skipped for another reason */
	CHANGE_NEW,	/* not there before, and no failure */
	CHANGE_COUNT
};

/**
 * compare_leaves - what became of a leaf
 * @before: NULL where it was not there
 * @now: NULL where it is not there any more
 */
enum change compare_leaves(const struct leaf *before, const struct leaf *now);

/* A leaf of a run, by its name. */
struct named_leaf {
	const char *name;
	const struct leaf *leaf;
	const struct test_case *test;
	bool met;		/* set by the user of the index */
};

/**
 * run_silenced - whether a leaf that is there only with bad news is gone for good
 * @run: where it is not there
 * @leaf: of another run
 * @test: its case, which @run must have judged
 *
 * The kernel's log, for one, has a leaf only where it complains.
 */
bool run_silenced(const struct run *run, const struct leaf *leaf,
		  const struct test_case *test);

/* Whether a run has the pair of that name. */
bool run_has_pair(const struct run *run, const char *name);

/**
 * run_left_out - whether a run's schedule chose others of a program's cases
 * @test: of another run
 */
bool run_left_out(const struct run *run, const struct test_case *test);

/* Whether it was to run that case on that pair. */
bool run_scheduled(const struct run *run, const struct test_case *test);

struct leaf_index {
	struct named_leaf *items;	/* in the run's order */
	struct named_leaf **sorted;
	size_t count;
};

void leaf_index_build(struct leaf_index *index, const struct run *run);

/* The leaf of that name, NULL if there is none. */
struct named_leaf *leaf_index_find(const struct leaf_index *index,
				   const char *name);

#endif

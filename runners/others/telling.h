/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a test program of somebody else does, told as one of ours tells it: by
 * records and KTAP. Its tests are our cases. Each is judged by its author, on
 * no clause of ours, which the name of the clause says.
 */
#ifndef CTS_OTHERS_TELLING_H
#define CTS_OTHERS_TELLING_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#define CLAUSE_OF_OTHERS	"TEST"

struct telling {
	const char *program;
	const char *table;	/* see clauses.h */
	char *const *words;	/* "-t NAME" and "-T NAME", NULL last */
	FILE *records;		/* NULL: nobody reads any */
	json_t *planned;	/* of those not announced yet */
	json_t *tests;		/* state of each test, by name */
	char last[256];		/* what the program said last */
	unsigned int number;	/* of the last line of KTAP */
};

/* What there is a word for; the rest is "error". */
enum outcome { OUTCOME_ODD, OUTCOME_PASS, OUTCOME_SKIP, OUTCOME_FAIL,
	       OUTCOME_CRASH, OUTCOME_TIMEOUT };

void telling_begin(struct telling *telling, const char *program,
		   const char *table, char *const *words);
void telling_end(struct telling *telling);

/**
 * telling_add - there is a test of that name
 *
 * Return: its name here, in which nothing is that reports cannot carry, and
 * which no test before has; NULL if it is not to be run: it was not asked for,
 * or the table has a reason. Valid until telling_end().
 */
const char *telling_add(struct telling *telling, const char *name);

/* Those that were added are all that is known by now. What is not run is told. */
void telling_announce(struct telling *telling);

/* A line of the program. */
void telling_line(struct telling *telling, const char *line);

/* @test: as telling_add() named it; nothing happens for NULL. */
void telling_test_begin(struct telling *telling, const char *test);

/**
 * telling_test_end - a test is over, and begun if it was not
 * @why: reason, which a test that passed needs not
 */
void telling_test_end(struct telling *telling, const char *test,
		      enum outcome outcome, const char *why);

#endif

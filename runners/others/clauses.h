/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table of what is known of tests of somebody else. A line is
 *
 *	PROGRAM TEST CLAUSE...		the clauses of ours that it touches
 *	PROGRAM TEST - REASON		it is not run, and why
 *
 * TEST may hold wildcards; a test that no line fits touches none. '#' begins a
 * comment.
 */
#ifndef CTS_OTHERS_CLAUSES_H
#define CTS_OTHERS_CLAUSES_H

#include <jansson.h>

/**
 * clauses_touched - the clauses that a test touches
 * @path: the table
 *
 * Return: array of clause ids, those of all lines that fit; empty if there is
 * no table. To be released with json_decref().
 */
json_t *clauses_touched(const char *path, const char *program,
			const char *test);

/**
 * clauses_withheld - why a test is not run
 *
 * Return: the reason, to be released with json_decref(), or NULL: it is run.
 */
json_t *clauses_withheld(const char *path, const char *program,
			 const char *test);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which tests declare which clauses, read from the test programs themselves:
 * CLAUSE_TEST() leaves a line for each test in their section clause_notes, and
 * none of them has to be run.
 */
#ifndef CTS_COVERAGE_H
#define CTS_COVERAGE_H

#include "clause/clause.h"

/**
 * struct covering_test - one test and what it declares
 * @program: the program's name
 * @name: the test's name
 * @needs: the capabilities that a pair must have
 * @clauses: the checks, @count of them
 */
struct covering_test {
	char *program;
	char *name;
	capability_set needs;
	const struct clause **clauses;
	size_t count;
};

struct coverage {
	struct covering_test *tests;
	size_t count;
};

/**
 * coverage_read - read the tests of all programs in a folder
 * @folder: where the test programs are
 * @coverage: where to write them, by program and name; for coverage_free(),
 *	also after an error
 *
 * Files that are no programs, and programs without tests, are passed over.
 *
 * Return: 0; -errno if @folder cannot be read, -ENOMEM.
 */
int coverage_read(const char *folder, struct coverage *coverage);

/**
 * coverage_free - forget what was read
 * @coverage: zeroed, or as coverage_read() left it
 */
void coverage_free(struct coverage *coverage);

/**
 * test_declares - whether a test declares a clause
 * @test: the test
 * @clause: any entry; of a lettered clause one check is enough
 */
bool test_declares(const struct covering_test *test,
		   const struct clause *clause);

/**
 * is_tested - whether any test declares a check
 * @coverage: the tests
 * @clause: a check or a clause without letters
 */
bool is_tested(const struct coverage *coverage, const struct clause *clause);

/**
 * coverage_own_folder - where this program lies, and the test programs beside it
 * @folder: gets the path; "." if it cannot be told
 * @size: bytes of @folder, more than 6
 */
void coverage_own_folder(char *folder, size_t size);

#endif

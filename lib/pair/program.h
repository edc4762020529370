/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A conformance program around its cases: which of them apply to this pair,
 * the plan record, and the arguments for the kselftest harness. An executable
 * has one program, or, cts-all, all of them.
 */
#ifndef CTS_PROGRAM_H
#define CTS_PROGRAM_H

#include "pair/case.h"

/* What CLAUSE_TEST_MAIN() leaves in the executable: one entry a program. */
struct clause_program {
	const char *name;	/* its source file without .c */
	const char *file;	/* as its cases have it */
	int (*run)(int argc, char **argv);	/* its harness */
};

/**
 * program_run - run the cases of a program that apply to this pair
 * @program: one of this executable
 * @argc: argument count
 * @argv: argument vector
 *
 * Writes the plan record. With "--plan", prints the plan of all cases and
 * touches no device. The harness may end the process. To be called once for each
 * program in a process, and for one pair: what a case needs to know of it is
 * found out before the first one, and kept.
 *
 * Return: an exit status for main(): 0 after --plan, 4 (skip) if the pair is
 * absent or no case applies to it, else that of the harness.
 */
int program_run(const struct clause_program *program, int argc, char **argv);

/**
 * program_find - a program of this executable
 * @name: its name
 *
 * Return: the program, or NULL if there is none of that name.
 */
const struct clause_program *program_find(const char *name);

/**
 * program_number - the programs of this executable, one by one
 * @number: from 0
 *
 * Return: a program, or NULL behind the last one.
 */
const struct clause_program *program_number(size_t number);

/**
 * program_applies - whether a program has a case for a pair
 * @program: one of this executable
 * @pair: its back ends are enough, neither of them need be open
 *
 * Goes by the law that law_load() found.
 */
bool program_applies(const struct clause_program *program,
		     const struct pair *pair);

/**
 * program_find_test - the declaration of a case of the program that runs
 * @name: its name; unknown ones end the program
 */
const struct clause_test *program_find_test(const char *name);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A conformance program around its cases: which of them apply to this pair,
 * the plan record, and the arguments for the kselftest harness.
 */
#ifndef CTS_PROGRAM_H
#define CTS_PROGRAM_H

#include "pair/case.h"

/**
 * program_begin - prepare to run the cases that apply to this pair
 * @name: the program's name, its source file without .c
 * @argc: argument count, replaced by that for the harness
 * @argv: argument vector, replaced by that for the harness
 *
 * Writes the plan record. With "--plan", prints the plan of all cases and
 * touches no device.
 *
 * Return: -1 to go on with the harness, else an exit status for main():
 * 0 after --plan, 4 (skip) if the pair is absent or no case applies to it.
 */
int program_begin(const char *name, int *argc, char ***argv);

/**
 * program_find_test - the declaration of a case of this program
 * @name: its name; unknown ones end the program
 */
const struct clause_test *program_find_test(const char *name);

#endif

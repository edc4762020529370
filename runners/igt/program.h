/* SPDX-License-Identifier: GPL-2.0-only */
/* A conformance program: its plan, and a run of it. */
#ifndef CTS_IGT_PROGRAM_H
#define CTS_IGT_PROGRAM_H

#include <jansson.h>

#include "igt/options.h"

struct program {
	const char *test;	/* as IGT knows it: dmabuf_cts_pin */
	const char *name;	/* as we do: pin */
	char path[4096];
};

/**
 * program_find - which program we stand for, and where it is
 * @called: how we were called, "…/dmabuf_cts_pin"
 *
 * Return: false after a message.
 */
bool program_find(struct program *program, const char *called);

/**
 * program_plan - its cases, and the clauses that each judges
 *
 * Return: array of {"case", "clauses"}, to be released with json_decref();
 * NULL after a message.
 */
json_t *program_plan(struct program *program);

/**
 * program_run - run what was chosen and say what becomes of it
 *
 * Return: the status to exit with.
 */
int program_run(struct program *program, const struct options *options);

#endif

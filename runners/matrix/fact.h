/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is known of drivers without running them: drivers-matrix/drivers/, one
 * file each. dmabuf-cts-matrix(1) describes the fields.
 */
#ifndef CTS_MATRIX_FACT_H
#define CTS_MATRIX_FACT_H

#include <jansson.h>
#include <stdbool.h>

#include "report/memory.h"

#define FACT_SUFFIX	".txt"

/* One paragraph: a driver in one role, one kind of buffer or region. */
struct fact_role {
	const json_t *paragraph;
	const char *role;	/* "exporter" or "importer" */
	const char *what;	/* which kind, where there are several; or NULL */
	struct list kernels;	/* series that it was read in, const char * */
	struct list predictions;	/* of struct prediction */
};

/* What reading lets one expect of a run; no run has measured it. */
struct prediction {
	const char *clause;
	const char *verdict;
	const char *reason;
};

struct fact {
	const char *path;
	const json_t *paragraph;
	const char *driver;	/* as the suite names it */
	const char *vendor;
	struct list names;	/* the driver's own: "Driver" and "Also", const char * */
	struct list others;	/* drivers that are like it: "Like", const char * */
	struct list roles;	/* of struct fact_role */
};

/**
 * facts_load - read and check all fact files
 * @facts: gets a struct fact for each file, in the order of their names; what
 *	   they point to lives until memory_release()
 * @folder: its files *.txt
 *
 * What is wrong with a file is told as faults.
 *
 * Return: false if the folder cannot be read, after a message.
 */
bool facts_load(struct list *facts, const char *folder);

/* The facts on a driver, by any of its names; NULL if there are none. */
const struct fact *facts_find(const struct list *facts, const char *driver);

/* Whether a name is the driver's own, and not that of one that is like it. */
bool fact_is_driver(const struct fact *fact, const char *name);

/* Whether what was read holds for a kernel series. */
bool fact_role_holds(const struct fact_role *role, const char *series);

#endif

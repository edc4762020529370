/* SPDX-License-Identifier: GPL-2.0-only */
/* What is measured, and by what it is watched meanwhile. */
#ifndef CTS_OVERHEAD_H
#define CTS_OVERHEAD_H

#include <stdio.h>

/* Of each a number of nanoseconds is measured, in this order. */
#define WORKS	2
extern const char *const work_names[WORKS];

/**
 * work_measure - do each work for a while
 * @ns: filled with what it takes once, undisturbed
 *
 * Return: 0 or a negative errno; what failed is on stderr.
 */
int work_measure(double ns[WORKS]);

/**
 * struct tracer - who watches
 * @name: for the table
 * @run: run @command with its arguments, watched; returns as system() does
 */
struct tracer {
	const char *name;
	int (*run)(char *const *command);
};

#define TRACERS	4
/* The first is none. */
extern const struct tracer tracers[TRACERS];

#endif

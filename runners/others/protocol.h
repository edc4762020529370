/* SPDX-License-Identifier: GPL-2.0-only */
/* How the programs of an origin are run, and how they say what they found. */
#ifndef CTS_OTHERS_PROTOCOL_H
#define CTS_OTHERS_PROTOCOL_H

#include "others/telling.h"

/*
 * Runs the program at @path and tells what it does. Returns as waitpid() does,
 * of the program; -1 with errno set if it could not be run.
 */
typedef int (*protocol)(struct telling *telling, char *path);

/* IGT: --list-subtests, --run-subtest, and a line for each subtest. */
int igt_run(struct telling *telling, char *path);

/* Programs of the kernel's selftests: KTAP, and an exit status. */
int kselftest_run(struct telling *telling, char *path);

#endif

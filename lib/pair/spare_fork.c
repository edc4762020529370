// SPDX-License-Identifier: GPL-2.0-only
/* Stands between the harness and fork(). */
#include "pair/spare_fork.h"

#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#include "pair/case.h"

/* What the process is. */
static enum {
	ANY_PROCESS,
	PROGRAM_PROCESS,	/* the harness in it forks for each case */
	CASE_PROCESS,		/* the harness in it is about to fork again */
	TEST_PROCESS,		/* it was told that it had */
} process;

pid_t __real_fork(void);
void __real__exit(int status) __attribute__((noreturn));

void spare_forks(bool on)
{
	process = on ? PROGRAM_PROCESS : ANY_PROCESS;
}

/* Forks of the test itself are no business of ours. */
pid_t __wrap_fork(void)
{
	pid_t child;

	if (process == CASE_PROCESS && !case_has_begun()) {
		process = TEST_PROCESS;
		return 0;
	}
	child = __real_fork();
	if (!child)
		process = process == PROGRAM_PROCESS ? CASE_PROCESS :
						       ANY_PROCESS;
	return child;
}

/* The second process ends with 0, and the first one with how the case went. */
void __attribute__((noreturn)) __wrap__exit(int status)
{
	if (process == TEST_PROCESS && !status)
		status = case_exit_code();
	__real__exit(status);
}

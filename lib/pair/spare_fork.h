/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The harness forks twice for a case with a fixture: the second process runs
 * it, the first one stays to tear down if the fixture asks for that. Ours does
 * not, so that all the first does is to wait; and to fork is what a short case
 * spends most of its time on where the processor is emulated. Linked with
 * --wrap=fork and --wrap=_exit, a program runs its cases in the first one.
 */
#ifndef CTS_SPARE_FORK_H
#define CTS_SPARE_FORK_H

#include <stdbool.h>

/* From now on the next fork is the harness's, for a case, or no longer if not @on. */
void spare_forks(bool on);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Before main(), the harness maps a shared page for each test that there is: in
 * cts-all hundreds, which each fork would have to copy, and which cost more than
 * the start of a program. Linked with --wrap=mmap, they get pieces of one
 * mapping instead.
 */
#ifndef CTS_POOL_H
#define CTS_POOL_H

#include <stdbool.h>

/* All tests have their pieces: from now on mmap() maps. Aborts without memory. */
void pool_close(void);

/*
 * What the harness noted there must not be seen by the next process that runs
 * programs. If the last one has @left_some, these may go on to write, and keep
 * the old pages for themselves. Aborts without memory.
 */
void pool_renew(bool left_some);

#endif

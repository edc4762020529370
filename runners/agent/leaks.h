/* SPDX-License-Identifier: GPL-2.0-only */
/* Kernel memory that nobody frees, where the kernel looks for it (kmemleak). */
#ifndef CTS_AGENT_LEAKS_H
#define CTS_AGENT_LEAKS_H

/**
 * leaks_begin - what has leaked by now is nobody's here
 * @path: /sys/kernel/debug/kmemleak
 *
 * Does nothing where there is no such file. A scan takes its seconds.
 */
void leaks_begin(const char *path);

/**
 * leaks_tell - look for what has leaked since, and write a record of each
 */
void leaks_tell(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* What must hold of the kernel when all is over. Each prints what does not. */
#ifndef GARBAGE_AFTERMATH_H
#define GARBAGE_AFTERMATH_H

/**
 * open_log - open the kernel log at its end
 *
 * Return: a file descriptor, or -1.
 */
int open_log(void);

/**
 * expect_quiet_log - look for complaints since open_log()
 * @log: the log
 *
 * Return: 0, or 1 if there are some.
 */
int expect_quiet_log(int log);

/**
 * expect_unused - wait until nothing uses a module
 * @module: its name
 *
 * Return: 0, or 1 if something still does after half a minute.
 */
int expect_unused(const char *module);

/**
 * unload - unload a module
 *
 * Return: 0, or 1 if the kernel refused.
 */
int unload(const char *module);

#endif

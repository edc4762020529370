/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The harness ends its process when all cases have run. Linked with
 * --wrap=exit, who has more to run in that process gets it back.
 */
#ifndef CTS_HARNESS_EXIT_H
#define CTS_HARNESS_EXIT_H

/*
 * Calls @run with @argc and @argv. Returns what it returns, or what it calls
 * exit() with in this process; in those that it forks, exit() ends them.
 */
int harness_exit_status(int (*run)(int argc, char **argv), int argc,
			char **argv);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process that runs one program after the other for a pair: to fork one for
 * each, which learns anew what is known of both ends, takes an emulated
 * processor longer than most cases do.
 */
#ifndef CTS_PAIR_PROCESS_H
#define CTS_PAIR_PROCESS_H

#include <stdbool.h>

#include "pair/words.h"

struct program_end {
	int status;		/* as waitpid() gives it */
	bool left_some;		/* processes that go on */
};

/*
 * Runs the program that @arguments begins with, by its path, with the variables
 * NAME=VALUE, in the process of the last one if that had the same variables and
 * can run it, else in a fork of this, which takes @variables and leaves none. One
 * that is none of ours is executed. Returns how it ended. Exits with 125 if
 * nothing can be forked.
 */
struct program_end pair_process_run(const struct words *arguments,
				    struct words *variables);

/* Ends the process, if there is one, and waits until it has ended. */
void pair_process_end(void);

#endif

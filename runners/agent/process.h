/* SPDX-License-Identifier: GPL-2.0-only */
/* Run one program to its end, whatever it does meanwhile. */
#ifndef CTS_AGENT_PROCESS_H
#define CTS_AGENT_PROCESS_H

#include <stdbool.h>

#include "stream/line.h"

struct process {
	int number;		/* of the job; kernel messages carry it */
	char *host;		/* cts-all, to run it in a process of its pair; NULL: none */
	bool last;		/* that process runs no other program */
	char *const *arguments;	/* the program's path first, NULL last */
	char *const *environment;	/* "NAME=value" to add, NULL last */
	int timeout_ms;		/* silence after which it is ended */
	line_sink record;	/* takes the lines of its record channel */
	line_sink output;	/* takes the lines of its output and errors */
	/* Asked between events; true ends the program. */
	bool (*must_stop)(void *context);
	void *context;		/* for the three of them */
};

enum process_fate {
	PROCESS_EXITED,		/* value: exit status */
	PROCESS_SIGNALLED,	/* value: signal */
	PROCESS_TIMED_OUT,
	PROCESS_STOPPED,	/* must_stop() said so */
	PROCESS_UNSTARTED,	/* value: errno */
};

struct process_end {
	enum process_fate fate;
	int value;
	bool stuck;		/* some of it could not be ended */
};

/**
 * process_run - run a program and pass on what it says
 *
 * Every process that it leaves behind is ended before this returns, unless
 * that takes longer than 5 s (process_end.stuck).
 */
struct process_end process_run(const struct process *process);

/* End cts-all, if it runs. */
void process_finish(void);

#endif

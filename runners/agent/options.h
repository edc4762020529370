/* SPDX-License-Identifier: GPL-2.0-only */
/* What cts-agent was asked to do. */
#ifndef CTS_AGENT_OPTIONS_H
#define CTS_AGENT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "stream/status.h"

#define EXIT_DIRTY		3	/* this kernel cannot be used further */

#define SHARES_MAX		999

/* Tells programs so, see options_may_disrupt(). */
#define DISRUPTIVE		"DMABUF_CTS_DISRUPTIVE=1"

struct words {
	const char **words;
	size_t count;
};

/* What is monitored. */
enum monitored {
	MONITOR_NONE,
	MONITOR_REAL,		/* where neither end is one of the suite's peers */
	MONITOR_ALL,
};

struct options {
	char *programs;		/* folder of cts-probe and the programs */
	char *host;		/* cts-all there; NULL: there is none */
	struct words exporters;	/* selectors; none: all */
	struct words importers;
	struct words program;	/* names of conformance programs; none: all */
	struct words cases;	/* names of cases; none: all */
	struct words with;	/* folders of others' programs */
	const char *schedule;	/* file with the jobs to run */
	const char *faults;	/* file with the mutants to run */
	const char *kmsg;	/* the kernel's log */
	const char *kmemleak;	/* where the kernel tells of leaked memory */
	const char *sys_module;	/* where module parameters are */
	const char *devices;	/* where PCI functions are */
	unsigned int nics;	/* emulated NICs that this guest was given */
	struct share {
		size_t number;	/* 0 to count - 1 */
		size_t count;	/* 1: all are run here */
	} share;
	enum monitored monitor;
	int timeout_s;		/* silence after which a program is ended */
	bool in_guest;
	bool full;		/* each self-test of a peer on each pair */
	bool allow_disruptive;
	bool list;
	bool plans;
};

/**
 * options_parse - read the command line
 *
 * Return: -1 to go on, else the status to exit with (after a message or help).
 */
int options_parse(struct options *options, int argc, char **argv);

/* Whether programs may do what only a machine that was given to tests may suffer. */
static inline bool options_may_disrupt(const struct options *options)
{
	return options->in_guest || options->allow_disruptive;
}

void options_release(struct options *options);

/* Whether @word is in the list, or the list is empty. */
bool words_have(const struct words *words, const char *word);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* The list of mutants: deliberate faults and the clauses that must see them. */
#ifndef CTS_STREAM_MUTANT_H
#define CTS_STREAM_MUTANT_H

#include <stdbool.h>
#include <stddef.h>

#define MUTANT_ITEMS	16

struct mutant_words {
	char *words[MUTANT_ITEMS];
	size_t count;
};

struct mutant {
	char *name;		/* of the fault */
	char *module;		/* whose it is: exporter, importer, umem, nic, core */
	char fault[96];		/* "exporter:NAME", as a job carries it */
	struct mutant_words clauses;
	struct mutant_words pairs;	/* "EXPORTER,IMPORTER"; none: all */
	struct mutant_words programs;	/* none: all */
	bool may_crash;		/* a crash or timeout counts as caught */
	bool timing;		/* what shows depends on who comes first */
};

struct mutant_list {
	struct mutant *mutants;
	size_t count;
};

/**
 * mutant_list_load - read a mutants file
 * @list: to be released with mutant_list_release()
 * @path: the file; one mutant a line,
 *	  NAME exporter|importer|umem|nic|core CLAUSE... [EXPORTER,IMPORTER]... [program=NAME]... [crash] [timing]
 *	  empty lines and what follows a '#' are ignored
 *
 * Return: true, or false after a message on stderr.
 */
bool mutant_list_load(struct mutant_list *list, const char *path);

void mutant_list_release(struct mutant_list *list);

/* Whether a clause is the general one, or a letter of it. */
bool clause_covers(const char *general, const char *clause);

/* Whether a clause id is one of the mutant's, or a letter of one. */
bool mutant_has_clause(const struct mutant *mutant, const char *clause);

/* Whether the mutant is to be tried on "EXPORTER,IMPORTER". */
bool mutant_has_pair(const struct mutant *mutant, const char *pair);

/* Whether it is to be tried with a program. */
bool mutant_has_program(const struct mutant *mutant, const char *program);

#endif

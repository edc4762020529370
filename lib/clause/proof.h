/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What proves that the tests of a check can fail: the mutants that break it.
 * And for checks that no test declares, or no mutant breaks, the reason why.
 */
#ifndef CTS_PROOF_H
#define CTS_PROOF_H

#include "clause/clause.h"

/* As in gap.def. */
enum gap_kind {
#define GAP(name, ...) GAP_##name,
#include "clause/gap.def"
#undef GAP
	GAP_COUNT
};

/**
 * struct breaking - a mutant and one thing that it breaks
 * @mutant: "exporter:pin_is_boolean"
 * @clause: a check; or a lettered clause as a whole, of which at least one
 *	check notices
 */
struct breaking {
	char *mutant;
	const struct clause *clause;
};

enum lack { LACKS_TEST, LACKS_MUTANT };

/**
 * struct gap - why a check lacks something
 * @clause: a check; or a lettered clause for all its checks
 * @lack: what it lacks
 * @kind: the kind of reason
 * @text: more precisely
 */
struct gap {
	const struct clause *clause;
	enum lack lack;
	enum gap_kind kind;
	char *text;
};

struct proof {
	struct breaking *breakings;
	size_t breaking_count;
	struct gap *gaps;
	size_t gap_count;
};

/**
 * proof_read - read the list of mutants and the list of gaps
 * @mutants: the file; a line is NAME WHOSE and, among other words, clauses
 * @gaps: the file; a line is CLAUSE... test|mutant KIND TEXT
 * @proof: filled; for proof_free(), also after an error
 *
 * Mistakes in a file are told on stderr.
 *
 * Return: 0, or a negative errno.
 */
int proof_read(const char *mutants, const char *gaps, struct proof *proof);

/**
 * proof_free - forget what was read
 */
void proof_free(struct proof *proof);

/**
 * proof_breaking - walk over the mutants that break a check
 * @proof: what was read
 * @check: a check or a clause without letters
 * @previous: the one before, NULL to begin
 *
 * Return: the next one; NULL after the last.
 */
const struct breaking *proof_breaking(const struct proof *proof,
				      const struct clause *check,
				      const struct breaking *previous);

/**
 * proof_gap - the reason why a check lacks something
 * @proof: what was read
 * @check: a check or a clause without letters
 * @lack: what it lacks
 *
 * Return: the reason; NULL if none is given.
 */
const struct gap *proof_gap(const struct proof *proof,
			    const struct clause *check, enum lack lack);

/**
 * gap_name - "hardware" and so on
 * gap_reason - what such a reason says
 * gap_closer - who could change it
 */
const char *gap_name(enum gap_kind kind);
const char *gap_reason(enum gap_kind kind);
const char *gap_closer(enum gap_kind kind);

#endif

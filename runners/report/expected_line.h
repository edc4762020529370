/* SPDX-License-Identifier: GPL-2.0-only */
/* One line of a file of expected results. */
#ifndef CTS_REPORT_EXPECTED_LINE_H
#define CTS_REPORT_EXPECTED_LINE_H

#include <stdbool.h>

#include "report/model.h"

/* How often a flake was bad, as far as was counted. */
struct flake_rate {
	unsigned int bad;
	unsigned int runs;	/* 0: nobody counted */
};

struct expected_line {
	const char *file;
	int number;
	const char *exporter;	/* selector, back end, or "any" */
	const char *importer;
	const char *clause;	/* pattern */
	const char *title;	/* pattern of "program.case" */
	const char *verdicts;	/* as written, "fail/pass" */
	bool allows[VERDICT_COUNT];
	const char *value;	/* of "value TEXT", or NULL */
	const char *said;	/* pattern of a bad verdict's reason, or NULL */
	struct flake_rate rate;	/* of a flake */
	const char *reason;
	const char *first;	/* kernel on which it was first seen, or NULL */
	const char *fixed;	/* kernel that does not have it any more, or NULL */
	const char *found_by;	/* or NULL */
	bool strict;
	bool met;		/* some leaf was as this line says */
	bool unmet;		/* none was, of what was run */
	bool contradicted;	/* the leaf that it names is there, otherwise */
};

/**
 * expected_line_parse - read a line
 * @line: exporter, importer, file and number are set by the caller
 * @text: is changed
 *
 * Return: true, or false after a message on stderr.
 */
bool expected_line_parse(struct expected_line *line, char *text);

/* The line as it stands in a file, without its end. */
const char *expected_line_print(const struct expected_line *line);

/* Whether it allows several verdicts. */
bool expected_line_is_flake(const struct expected_line *line);

/* The pattern of a failure's reason, in double quotes; NULL if it has none. */
const char *expected_line_said(const struct expected_line *line);

/* A flake's rate, "3/20"; "" if nobody counted. */
const char *expected_line_rate(const struct expected_line *line);

/* Whether a line holds on a kernel ("6.12.118"; "": on any). */
bool expected_line_holds(const struct expected_line *line, const char *kernel);

/* Whether a line speaks of this pair. */
bool expected_line_is_about(const struct expected_line *line,
			    const struct pair *pair);

/* Whether a line speaks of this case ("program.case"), on some pair. */
bool expected_line_is_of_case(const struct expected_line *line,
			      const char *title);

/* Whether a line speaks of this clause in this case. */
bool expected_line_matches(const struct expected_line *line,
			   const struct pair *pair, const char *title,
			   const char *clause);

/* Whether the line is about kernel memory that nobody freed, and about this. */
bool expected_line_allows_leak(const struct expected_line *line,
			       const char *leak);

/* Whether a leaf that the line matches is as the line says. */
bool expected_line_allows(const struct expected_line *line,
			  const struct leaf *leaf);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* A record as text: what can be told of it without a parser. */
#ifndef CTS_AGENT_GLANCE_H
#define CTS_AGENT_GLANCE_H

#include <stdbool.h>
#include <stddef.h>

/* A piece of the record's text, not terminated; NULL where there is none. */
struct word {
	const char *text;
	size_t length;
};

/* String members that somebody looks at. */
struct glance {
	struct word type;
	struct word name;	/* "case" */
	struct word state;
	struct word verdict;
};

/**
 * glance_at - see whether a line is a record as our programs write them
 * @glance: its members, which point into @text; valid if this returns true
 * @text: the line
 * @length: number of bytes
 *
 * Such a line is what jansson would make of it again, byte by byte, so it can
 * go on as it came: an object without a job, of ASCII, compact, no key twice,
 * nothing written in one of several ways. Most lines are.
 *
 * Return: false if a parser has to tell what it is; it may still be a record.
 */
bool glance_at(struct glance *glance, const char *text, size_t length);

/* Whether the word is @text. */
bool word_is(struct word word, const char *text);

#endif

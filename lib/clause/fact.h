/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Facts that a kernel declares about itself: a function is there, a struct has
 * a member, an option was set. Each reader of one kind of file fills in the
 * facts that it can tell; what no reader can tell stays UNKNOWN.
 */
#ifndef CTS_FACT_H
#define CTS_FACT_H

#include <stddef.h>

enum fact_kind {
	FACT_FUNCTION,
	FACT_MEMBER,
	FACT_OPTION,
};

enum fact_state {
	UNKNOWN,	/* nothing to read it from */
	UNLISTED,	/* options only: the configuration does not name it */
	ABSENT,
	PRESENT,
};

#define FACT_FILE_SIZE	96

/**
 * struct fact - one of them
 * @kind: function, member or option
 * @name: the function, the option, or the struct that may have the member
 * @member: the member, else NULL
 * @beside: of a function one of the same part of the kernel, which is as old:
 *	where it is listed, a function that is not does not exist
 * @module: that lists a function while it is loaded; NULL: the kernel itself
 * @state: what was found
 * @file: where, as a reader wants to see it
 */
struct fact {
	enum fact_kind kind;
	const char *name;
	const char *member;
	const char *beside;
	const char *module;
	enum fact_state state;
	char file[FACT_FILE_SIZE];
};

/**
 * facts_read - find out about all facts
 * @root: prefix of all paths, "" for this machine
 * @release: the kernel's release
 * @facts: the facts; @state and @file are written
 * @count: how many there are
 */
void facts_read(const char *root, const char *release, struct fact *facts,
		size_t count);

/**
 * fact_format - a fact in words
 * @fact: the fact
 * @text: where to write it, as "btf: struct dma_buf has no lock"
 * @size: bytes at @text
 */
void fact_format(const struct fact *fact, char *text, size_t size);

/* The readers, one a file; each leaves alone what is known already. */
void facts_read_btf(const char *root, const char *release, struct fact *facts,
		    size_t count);
void facts_read_symbols(const char *root, struct fact *facts, size_t count);
void facts_read_headers(const char *root, const char *release,
			struct fact *facts, size_t count);
void facts_read_options(const char *root, const char *release,
			struct fact *facts, size_t count);

/**
 * fact_settle - note that a reader found a fact out
 * @fact: the fact
 * @state: what was found
 * @file: where
 */
void fact_settle(struct fact *fact, enum fact_state state, const char *file);

#endif

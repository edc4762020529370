/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lists of words, as they go from one process to another: a number in digits,
 * how many there are, and the words, with a NUL behind each of these.
 */
#ifndef CTS_WORDS_H
#define CTS_WORDS_H

#include <stdbool.h>
#include <stdio.h>

struct words {
	char **vector;		/* NULL behind the last one */
	int count;
};

/* Reads a list from @file. Returns false, and no words, at its end. */
bool words_read(FILE *file, struct words *words);

/* Writes @words to @fd, in one piece. Returns 0 or a negative errno. */
int words_write(int fd, const struct words *words);

/* Whether both have the same words in the same order. */
bool words_equal(const struct words *a, const struct words *b);

/* Frees what words_read() allocated, and leaves an empty list. */
void words_release(struct words *words);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* Things to hide, and the words that stand for them. */
#ifndef CTS_BUNDLE_SECRET_H
#define CTS_BUNDLE_SECRET_H

#include <stdbool.h>

#include "report/memory.h"

struct secrets {
	struct list list;	/* of struct secret, long ones first */
	json_t *counts;		/* by kind */
	const json_t *kept;	/* names: words in which nothing is looked for */
};

struct secret {
	const char *kind;
	const char *value;
	size_t length;
	const char *token;	/* "mac-1" */
	bool anywhere;		/* also as a part of a word */
};

/* The word that stands for something, made if need be. */
const char *secrets_token(struct secrets *secrets, const char *kind,
			  const char *value);

/* Look for one that has a token within longer words, too. */
void secrets_anywhere(struct secrets *secrets, const char *value);

/**
 * secrets_replace - put tokens in the place of all that is known by now
 * @text: bytes, @size of them
 *
 * Return: the new text, to be freed; its length in @size.
 */
char *secrets_replace(const struct secrets *secrets, const char *text,
		      size_t *size);

/* Whether it is anywhere in a text, also in a word that stays. */
bool secret_occurs(const struct secret *secret, const char *text, size_t size);

/* The first that still stands in a text, NULL if there is none. */
const struct secret *secrets_find(const struct secrets *secrets,
				  const char *text, size_t size);

#endif

// SPDX-License-Identifier: GPL-2.0-only
#include "bundle/secret.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare_length(const void *one, const void *other)
{
	const struct secret *const *a = one, *const *b = other;

	if ((*a)->length != (*b)->length)
		return (*a)->length < (*b)->length ? 1 : -1;
	return strcmp((*a)->value, (*b)->value);
}

const char *secrets_token(struct secrets *secrets, const char *kind,
			  const char *value)
{
	struct secret *secret;
	json_int_t count;

	for_list(struct secret *, known, &secrets->list)
		if (!strcasecmp(known->value, value))
			return known->token;
	if (!secrets->counts) {
		secrets->counts = memory_hold(json_object());
		json_decref(secrets->counts);
	}
	count = json_integer_value(json_object_get(secrets->counts, kind)) + 1;
	json_object_set_new(secrets->counts, kind, json_integer(count));
	secret = memory_get(sizeof(*secret));
	secret->value = memory_copy(value);
	secret->length = strlen(value);
	secret->token = memory_print("%s-%lld", kind, (long long)count);
	list_add(&secrets->list, secret);
	qsort(secrets->list.items, secrets->list.count,
	      sizeof(*secrets->list.items), compare_length);
	return secret->token;
}

static bool is_word(int c)
{
	return isalnum(c) || c == '_';
}

/* Whether it stands at @at, and by itself. */
static bool stands(const struct secret *secret, const char *text, size_t size,
		   size_t at)
{
	const unsigned char *bytes = (const unsigned char *)text;
	size_t end = at + secret->length;

	if (end > size || strncasecmp(text + at, secret->value, secret->length))
		return false;
	return end == size || !is_word(bytes[end]) || !is_word(bytes[end - 1]);
}

static const struct secret *find_at(const struct secrets *secrets,
				    const char *text, size_t size, size_t at)
{
	/* Most places are within a word, where nothing begins. */
	if (at && is_word((unsigned char)text[at - 1]) &&
	    is_word((unsigned char)text[at]))
		return NULL;
	for_list(const struct secret *, secret, &secrets->list)
		if (tolower((unsigned char)*secret->value) ==
		    tolower((unsigned char)text[at]) &&
		    stands(secret, text, size, at))
			return secret;
	return NULL;
}

char *secrets_replace(const struct secrets *secrets, const char *text,
		      size_t *size)
{
	char *result = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&result, &length);

	for (size_t at = 0; out && at < *size;) {
		const struct secret *secret = find_at(secrets, text, *size, at);

		if (secret)
			fputs(secret->token, out);
		else
			fputc(text[at], out);
		at += secret ? secret->length : 1;
	}
	if (out)
		fclose(out);
	*size = length;
	return result;
}

const struct secret *secrets_find(const struct secrets *secrets,
				  const char *text, size_t size)
{
	for (size_t at = 0; at < size; at++) {
		const struct secret *secret = find_at(secrets, text, size, at);

		if (secret)
			return secret;
	}
	return NULL;
}

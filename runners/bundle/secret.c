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
	secret->kind = memory_copy(kind);
	secret->value = memory_copy(value);
	secret->length = strlen(value);
	secret->token = memory_print("%s-%lld", kind, (long long)count);
	list_add(&secrets->list, secret);
	qsort(secrets->list.items, secrets->list.count,
	      sizeof(*secrets->list.items), compare_length);
	return secret->token;
}

void secrets_anywhere(struct secrets *secrets, const char *value)
{
	for_list(struct secret *, secret, &secrets->list)
		if (!strcasecmp(secret->value, value))
			secret->anywhere = true;
}

static bool is_word(int c)
{
	return isalnum(c) || c == '_';
}

static bool joins(const char *text, size_t size, size_t at)
{
	const unsigned char *bytes = (const unsigned char *)text;

	return at && at < size && is_word(bytes[at - 1]) && is_word(bytes[at]);
}

/* Whether the longer word that a part of is at @at, is one that stays. */
static bool is_kept(const struct secrets *secrets, const char *text,
		    size_t size, size_t at, size_t length)
{
	size_t end = at + length;

	while (joins(text, size, at))
		at--;
	while (joins(text, size, end))
		end++;
	return json_object_get(secrets->kept, memory_print("%.*s",
			       (int)(end - at), text + at));
}

/* Whether it stands at @at: by itself, or where that is enough, in a word. */
static bool stands(const struct secrets *secrets, const struct secret *secret,
		   const char *text, size_t size, size_t at)
{
	size_t end = at + secret->length;

	if (end > size || strncasecmp(text + at, secret->value, secret->length))
		return false;
	if (!joins(text, size, at) && !joins(text, size, end))
		return true;
	return secret->anywhere &&
	       !is_kept(secrets, text, size, at, secret->length);
}

static const struct secret *find_at(const struct secrets *secrets,
				    const char *text, size_t size, size_t at)
{
	for_list(const struct secret *, secret, &secrets->list)
		if (tolower((unsigned char)*secret->value) ==
		    tolower((unsigned char)text[at]) &&
		    stands(secrets, secret, text, size, at))
			return secret;
	return NULL;
}

/* Set off from what it was a part of: "FALCON2" is no "hidden-12". */
static void put_token(const struct secret *secret, const char *text,
		      size_t size, size_t at, FILE *out)
{
	size_t end = at + secret->length;

	fprintf(out, "%s%s%s", joins(text, size, at) ? "-" : "", secret->token,
		joins(text, size, end) ? "-" : "");
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
			put_token(secret, text, *size, at, out);
		else
			fputc(text[at], out);
		at += secret ? secret->length : 1;
	}
	if (out)
		fclose(out);
	*size = length;
	return result;
}

bool secret_occurs(const struct secret *secret, const char *text, size_t size)
{
	for (size_t at = 0; at + secret->length <= size; at++)
		if (!strncasecmp(text + at, secret->value, secret->length))
			return true;
	return false;
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

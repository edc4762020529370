// SPDX-License-Identifier: GPL-2.0-only
#include "agent/glance.h"

#include <string.h>

/* Whatever has more of it is left to the parser. */
#define MEMBERS_MAX	24
#define DEPTH_MAX	8
#define DIGITS_MAX	18

struct cursor {
	const char *next;
	const char *end;
	int depth;
};

bool word_is(struct word word, const char *text)
{
	return word.length == strlen(text) && word.text &&
	       !memcmp(word.text, text, word.length);
}

static bool take(struct cursor *at, char wanted)
{
	bool there = at->next < at->end && *at->next == wanted;

	at->next += there;
	return there;
}

/* Bytes that a string has as they are. Nearly all of a record is made of them. */
static const bool is_plain[256] = {
	[' '] = true, true,
	['#' ... '['] = true,
	[']' ... '~'] = true,
};

/* The escapes that are the only way to write something. */
static bool take_escape(struct cursor *at)
{
	at->next++;
	return take(at, '"') || take(at, '\\') || take(at, 'n') ||
	       take(at, 't') || take(at, 'r') || take(at, 'b') || take(at, 'f');
}

static void skip_plain(struct cursor *at)
{
	const unsigned char *next = (const unsigned char *)at->next;
	const unsigned char *end = (const unsigned char *)at->end;

	while (next < end && is_plain[*next])
		next++;
	at->next = (const char *)next;
}

static bool take_string(struct cursor *at, struct word *string)
{
	if (!take(at, '"'))
		return false;
	string->text = at->next;
	skip_plain(at);
	while (at->next < at->end && *at->next == '\\') {
		if (!take_escape(at))
			return false;
		skip_plain(at);
	}
	string->length = at->next - string->text;
	return take(at, '"');
}

/* What follows it is for the caller to judge: a point, for one. */
static bool take_integer(struct cursor *at)
{
	bool negative = take(at, '-');
	const char *start = at->next;
	size_t digits;

	while (at->next < at->end && *at->next >= '0' && *at->next <= '9')
		at->next++;
	digits = at->next - start;
	if (!digits || digits > DIGITS_MAX)
		return false;
	return *start != '0' || (digits == 1 && !negative);
}

static bool take_constant(struct cursor *at, const char *constant)
{
	size_t length = strlen(constant);

	if ((size_t)(at->end - at->next) < length ||
	    memcmp(at->next, constant, length))
		return false;
	at->next += length;
	return true;
}

static bool take_array(struct cursor *at);
static bool take_object(struct cursor *at, struct glance *glance);

/* A string's text goes to @string, of everything else there is none. */
static bool take_value(struct cursor *at, struct word *string)
{
	if (at->next == at->end)
		return false;
	switch (*at->next) {
	case '"':
		return take_string(at, string);
	case '{':
		return take_object(at, NULL);
	case '[':
		return take_array(at);
	case 't':
		return take_constant(at, "true");
	case 'f':
		return take_constant(at, "false");
	case 'n':
		return take_constant(at, "null");
	default:
		return take_integer(at);
	}
}

static bool take_array(struct cursor *at)
{
	struct word ignored;

	at->next++;
	if (take(at, ']'))
		return true;
	if (++at->depth > DEPTH_MAX)
		return false;
	do {
		if (!take_value(at, &ignored))
			return false;
	} while (take(at, ','));
	at->depth--;
	return take(at, ']');
}

static bool is_known(const struct word *keys, size_t count, struct word key)
{
	for (size_t i = 0; i < count; i++)
		if (keys[i].length == key.length &&
		    !memcmp(keys[i].text, key.text, key.length))
			return true;
	return false;
}

/* Where the value of a member of the record goes. */
static struct word *place_of(struct glance *glance, struct word key)
{
	if (word_is(key, "type"))
		return &glance->type;
	if (word_is(key, "case"))
		return &glance->name;
	if (word_is(key, "state"))
		return &glance->state;
	return word_is(key, "verdict") ? &glance->verdict : NULL;
}

static bool take_object(struct cursor *at, struct glance *glance)
{
	struct word keys[MEMBERS_MAX], ignored, *value;
	size_t count = 0;

	at->next++;
	if (take(at, '}'))
		return true;
	if (++at->depth > DEPTH_MAX)
		return false;
	do {
		if (count == MEMBERS_MAX || !take_string(at, &keys[count]) ||
		    is_known(keys, count, keys[count]) || !take(at, ':'))
			return false;
		value = glance ? place_of(glance, keys[count]) : NULL;
		if (!take_value(at, value ?: &ignored))
			return false;
		if (glance && word_is(keys[count], "job"))
			return false;
		count++;
	} while (take(at, ','));
	at->depth--;
	return take(at, '}');
}

/* No string, or one that reads as it is written. */
static bool is_literal(struct word word)
{
	return !word.text || !memchr(word.text, '\\', word.length);
}

bool glance_at(struct glance *glance, const char *text, size_t length)
{
	struct cursor at = { .next = text, .end = text + length };

	*glance = (struct glance){ 0 };
	return length && *text == '{' && take_object(&at, glance) &&
	       at.next == at.end && is_literal(glance->type) &&
	       is_literal(glance->name) && is_literal(glance->state) &&
	       is_literal(glance->verdict);
}

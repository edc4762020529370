// SPDX-License-Identifier: GPL-2.0-only
#include "record/writer.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that one of a string may take: "\u001F". */
#define LONGEST_ESCAPE	6
#define LONGEST_INTEGER	24

static const char replacement[] = "\xEF\xBF\xBD";

void writer_start(struct record_writer *writer)
{
	writer->text = writer->place;
	writer->length = 0;
	writer->size = sizeof(writer->place);
	writer->failed = false;
}

void writer_stop(struct record_writer *writer)
{
	if (writer->text != writer->place)
		free(writer->text);
	writer_start(writer);
}

static bool grow(struct record_writer *writer, size_t needed)
{
	bool placed = writer->text == writer->place;
	char *grown = realloc(placed ? NULL : writer->text, 2 * needed);

	if (!grown) {
		writer->failed = true;
		return false;
	}
	if (placed)
		memcpy(grown, writer->place, writer->length);
	writer->text = grown;
	writer->size = 2 * needed;
	return true;
}

static bool make_room(struct record_writer *writer, size_t more)
{
	return writer->length + more <= writer->size ||
	       grow(writer, writer->length + more);
}

static void put(struct record_writer *writer, const char *bytes, size_t length)
{
	memcpy(writer->text + writer->length, bytes, length);
	writer->length += length;
}

/* No string ends in a bracket: it ends in a quote. */
static bool is_first(const struct record_writer *writer)
{
	char last = writer->length ? writer->text[writer->length - 1] : '[';

	return last == '{' || last == '[';
}

/* The comma and name before a value, with room for @more bytes behind them. */
static bool put_name(struct record_writer *writer, const char *key, size_t more)
{
	size_t length = key ? strlen(key) : 0;

	if (!make_room(writer, length + strlen(",\"\":") + more))
		return false;
	if (!is_first(writer))
		put(writer, ",", 1);
	if (key) {
		put(writer, "\"", 1);
		put(writer, key, length);
		put(writer, "\":", 2);
	}
	return true;
}

void writer_open(struct record_writer *writer, const char *key, char bracket)
{
	if (put_name(writer, key, 1))
		put(writer, &bracket, 1);
}

void writer_close(struct record_writer *writer, char bracket)
{
	if (make_room(writer, 1))
		put(writer, &bracket, 1);
}

/* The bits of a lead byte that are not its length; 0 if it is none. */
static unsigned char lead_mask(unsigned char lead, size_t *length)
{
	*length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
	return lead < 0xC0 || lead >= 0xF8 ? 0 : 0x7F >> *length;
}

/* Bytes of the character at @text, at least 2; 0 if it is none. */
static size_t character_length(const unsigned char *text)
{
	/* Lowest that needs so many bytes: anything lower is overlong. */
	static const uint32_t lowest[] = { [2] = 0x80, 0x800, 0x10000 };
	size_t length;
	unsigned char mask = lead_mask(*text, &length);
	uint32_t code = *text & mask;

	if (!mask)
		return 0;
	for (size_t i = 1; i < length; i++) {
		if ((text[i] & 0xC0) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3F);
	}
	if (code < lowest[length] || code > 0x10FFFF ||
	    (code >= 0xD800 && code <= 0xDFFF))
		return 0;
	return length;
}

static char *put_escape(char *end, unsigned char byte)
{
	static const char letters[] = {
		['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r',
		['\t'] = 't', ['"'] = '"', ['\\'] = '\\',
	};
	static const char digits[] = "0123456789ABCDEF";

	*end++ = '\\';
	if (letters[byte]) {
		*end++ = letters[byte];
		return end;
	}
	end = mempcpy(end, "u00", 3);
	*end++ = digits[byte >> 4];
	*end++ = digits[byte & 15];
	return end;
}

/* A character that does not stand for itself, or of several bytes. */
static char *put_special(char *end, const char **text)
{
	unsigned char byte = **text;
	size_t length;

	if (byte < 0x80) {
		(*text)++;
		return put_escape(end, byte);
	}
	length = character_length((const unsigned char *)*text);
	end = mempcpy(end, length ? *text : replacement, length ?: 3);
	*text += length ?: 1;
	return end;
}

static bool is_plain(unsigned char byte)
{
	return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

void writer_text(struct record_writer *writer, const char *key,
		 const char *text)
{
	char *end;

	if (!put_name(writer, key, LONGEST_ESCAPE * strlen(text) + 2))
		return;
	end = writer->text + writer->length;
	*end++ = '"';
	while (*text) {
		if (is_plain(*text))
			*end++ = *text++;
		else
			end = put_special(end, &text);
	}
	*end++ = '"';
	writer->length = end - writer->text;
}

void writer_integer(struct record_writer *writer, const char *key,
		    long long number)
{
	if (put_name(writer, key, LONGEST_INTEGER))
		writer->length += sprintf(writer->text + writer->length,
					  "%lld", number);
}

void writer_boolean(struct record_writer *writer, const char *key, bool value)
{
	const char *text = value ? "true" : "false";

	if (put_name(writer, key, strlen(text)))
		put(writer, text, strlen(text));
}

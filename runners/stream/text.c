// SPDX-License-Identifier: GPL-2.0-only
#include "stream/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char replacement[] = "\xEF\xBF\xBD";

static bool is_continuation(unsigned char byte)
{
	return (byte & 0xC0) == 0x80;
}

/* Lowest code point that needs so many bytes: anything lower is overlong. */
static const uint32_t lowest[] = { 0, 0, 0x80, 0x800, 0x10000 };

static size_t sequence_length(unsigned char lead)
{
	if (lead < 0x80)
		return lead ? 1 : 0;
	if ((lead & 0xE0) == 0xC0)
		return 2;
	if ((lead & 0xF0) == 0xE0)
		return 3;
	if ((lead & 0xF8) == 0xF0)
		return 4;
	return 0;
}

/* Bytes of the character at @text that JSON can carry; 0 if it cannot. */
static size_t clean_character(const char *text, size_t left)
{
	const unsigned char *bytes = (const unsigned char *)text;
	size_t length = sequence_length(bytes[0]);
	uint32_t code;

	if (length <= 1)
		return length;
	if (length > left)
		return 0;

	code = bytes[0] & (0xFF >> (length + 1));
	for (size_t i = 1; i < length; i++) {
		if (!is_continuation(bytes[i]))
			return 0;
		code = code << 6 | (bytes[i] & 0x3F);
	}
	if (code < lowest[length] || code > 0x10FFFF ||
	    (code >= 0xD800 && code <= 0xDFFF))
		return 0;
	return length;
}

static bool is_clean(const char *text, size_t length)
{
	while (length) {
		size_t step = clean_character(text, length);

		if (!step)
			return false;
		text += step;
		length -= step;
	}
	return true;
}

static json_t *repaired(const char *text, size_t length)
{
	char *copy = malloc(length * 3 + 1);
	size_t used = 0;
	json_t *string;

	if (!copy)
		return NULL;
	while (length) {
		size_t step = clean_character(text, length);

		memcpy(copy + used, step ? text : replacement, step ?: 3);
		used += step ?: 3;
		text += step ?: 1;
		length -= step ?: 1;
	}
	string = json_stringn(copy, used);
	free(copy);
	return string;
}

static json_t *hexadecimal(const char *text, size_t length)
{
	static const char digits[] = "0123456789abcdef";
	char *copy = malloc(length * 2 + 1);
	json_t *string;

	if (!copy)
		return NULL;
	for (size_t i = 0; i < length; i++) {
		copy[2 * i] = digits[(unsigned char)text[i] >> 4];
		copy[2 * i + 1] = digits[text[i] & 15];
	}
	string = json_stringn(copy, length * 2);
	free(copy);
	return string;
}

void text_put(json_t *object, const char *text, size_t length)
{
	if (is_clean(text, length)) {
		json_object_set_new(object, "text", json_stringn(text, length));
		return;
	}
	json_object_set_new(object, "text", repaired(text, length));
	json_object_set_new(object, "hex", hexadecimal(text, length));
}

static int digit_value(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	return (digit | 0x20) - 'a' + 10;
}

static char *from_hexadecimal(const char *hex, size_t *length)
{
	size_t size = strlen(hex) / 2;
	char *bytes = malloc(size + 1);

	if (!bytes)
		return NULL;
	for (size_t i = 0; i < size; i++)
		bytes[i] = digit_value(hex[2 * i]) << 4 |
			   digit_value(hex[2 * i + 1]);
	bytes[size] = '\0';
	*length = size;
	return bytes;
}

char *text_get(const json_t *object, size_t *length)
{
	const char *hex = text_member(object, "hex", NULL);
	const char *text = text_member(object, "text", NULL);

	if (hex && strspn(hex, "0123456789abcdefABCDEF") == strlen(hex))
		return from_hexadecimal(hex, length);
	if (!text)
		return NULL;
	*length = strlen(text);
	return strdup(text);
}

const char *text_member(const json_t *object, const char *key,
			const char *fallback)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ?: fallback;
}

bool text_is_among(const json_t *list, const char *text)
{
	json_t *entry;
	size_t i;

	json_array_foreach(list, i, entry)
		if (json_is_string(entry) &&
		    !strcmp(json_string_value(entry), text))
			return true;
	return false;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/* Bytes of unknown origin as JSON text, with nothing lost. */
#ifndef CTS_STREAM_TEXT_H
#define CTS_STREAM_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/**
 * text_put - add a text to a JSON object
 * @object: gets "text"; and "hex", the same bytes in hexadecimal, where they
 *	    are no clean UTF-8 or hold a NUL ("text" then has U+FFFD for each
 *	    byte that JSON cannot carry)
 * @text: the bytes
 * @length: number of bytes
 */
void text_put(json_t *object, const char *text, size_t length);

/**
 * text_get - the bytes that text_put() was given
 * @object: a JSON object
 * @length: number of bytes, out
 *
 * Return: the bytes, to be freed, terminated by a NUL that does not count in
 * @length; NULL if @object holds none or there is no memory.
 */
char *text_get(const json_t *object, size_t *length);

/**
 * text_member - a string member of a JSON object
 *
 * Return: the string, or @fallback if there is none or it is no string.
 */
const char *text_member(const json_t *object, const char *key,
			const char *fallback);

/**
 * text_is_among - whether a JSON array holds a string
 * @list: the array; NULL holds none
 */
bool text_is_among(const json_t *list, const char *text);

#endif

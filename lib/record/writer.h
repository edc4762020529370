/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * JSON as text, without a tree of objects first: the records of which a case
 * writes a dozen cost an emulated guest more that way than what they tell of.
 * The text is that of json_dumps() with JSON_COMPACT.
 */
#ifndef CTS_WRITER_H
#define CTS_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#define WRITER_SIZE	4096

/**
 * struct record_writer - a text that is being written
 * @text: what there is of it, without a NUL at its end; @place until that
 *	is too small
 * @length: of it
 * @size: bytes at @text
 * @failed: there was no memory, and the text lacks something
 */
struct record_writer {
	char *text;
	size_t length;
	size_t size;
	bool failed;
	char place[WRITER_SIZE];
};

/**
 * writer_start - begin an empty text
 */
void writer_start(struct record_writer *writer);

/**
 * writer_stop - give back the memory of a text
 */
void writer_stop(struct record_writer *writer);

/**
 * writer_open - begin an object or an array
 * @writer: the text
 * @key: its name in the object that it is in, of plain letters; or NULL
 * @bracket: '{' or '['
 */
void writer_open(struct record_writer *writer, const char *key, char bracket);

/**
 * writer_close - end what was opened last
 * @writer: the text
 * @bracket: '}' or ']', or the newline that ends a record
 */
void writer_close(struct record_writer *writer, char bracket);

/**
 * writer_text - write a string
 * @writer: the text
 * @key: as for writer_open()
 * @text: the string; a byte of it that is not UTF-8 becomes U+FFFD
 */
void writer_text(struct record_writer *writer, const char *key,
		 const char *text);

/**
 * writer_integer - write a number
 */
void writer_integer(struct record_writer *writer, const char *key,
		    long long number);

/**
 * writer_boolean - write true or false
 */
void writer_boolean(struct record_writer *writer, const char *key, bool value);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Text files of paragraphs, as Debian's control files are: "Field: value", a
 * value goes on in lines that begin with a blank, an empty line ends the
 * paragraph, and '#' begins a comment line.
 */
#ifndef CTS_MATRIX_PARAGRAPH_H
#define CTS_MATRIX_PARAGRAPH_H

#include <jansson.h>

/**
 * paragraphs_read - all paragraphs of a file
 * @path: the file; lines that are none of the above are told as faults
 *
 * Return: an array of objects, to be released; NULL if the file cannot be read,
 * which is told. In each object a field's name has an object: "line", where it
 * began, and "lines", an array of the value's lines that are not empty.
 */
json_t *paragraphs_read(const char *path);

/* The lines of a field's value, NULL if the paragraph does not have it. */
json_t *paragraph_lines(const json_t *paragraph, const char *field);

/* The value as one line, held until memory_release(); NULL if there is none. */
const char *paragraph_text(const json_t *paragraph, const char *field);

/* Where a field began; where the paragraph's first did if it is not there. */
int paragraph_line(const json_t *paragraph, const char *field);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* The fields that a paragraph of a fact file may and must have. */
#ifndef CTS_MATRIX_FIELD_H
#define CTS_MATRIX_FIELD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum field_kind {
	FIELD_TEXT,
	FIELD_WORD,
	FIELD_FACT,
	FIELD_READ,
	FIELD_SOURCES,
	FIELD_KERNELS,
	FIELD_FIRST,
	FIELD_CLAUSES,
};

enum field_need { FIELD_ALWAYS, FIELD_IMPORTS, FIELD_MAYBE };

struct field {
	const char *name;
	enum field_need need;
	enum field_kind kind;
	const char *words;	/* that a value may begin with; "": any */
};

/**
 * fields_of_driver, fields_of_role - the fields of the first and of each
 *				      further paragraph
 * @count: gets their number
 */
const struct field *fields_of_driver(size_t *count);
const struct field *fields_of_role(size_t *count);

/**
 * field_print - print the value of a paragraph's field
 * @between: what parts lines that each say something of their own; the lines of
 *	     any other value become one
 * @put: prints a text as the format wants it
 */
void field_print(const json_t *paragraph, const struct field *field,
		 const char *between, void (*put)(FILE *out, const char *text),
		 FILE *out);

/* Tell what is wrong with a paragraph's fields, one by one and together. */
void fields_check_driver(const char *path, const json_t *paragraph);
void fields_check_role(const char *path, const json_t *paragraph);

/* Whether a text is a kernel series such as "6.12". */
bool is_series(const char *text);

#endif

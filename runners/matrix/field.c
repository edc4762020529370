// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/field.h"

#include <ctype.h>
#include <string.h>

#include "matrix/fault.h"
#include "matrix/paragraph.h"
#include "report/memory.h"
#include "report/verdict.h"

#define DRIVER(...)
#define ROLE(name_, need_, kind_, words_) \
	{ name_, FIELD_##need_, FIELD_##kind_, words_ },
static const struct field role_fields[] = {
#include "matrix/field.def"
};
#undef DRIVER
#undef ROLE
#define DRIVER(name_, need_, kind_, words_) \
	{ name_, FIELD_##need_, FIELD_##kind_, words_ },
#define ROLE(...)
static const struct field driver_fields[] = {
#include "matrix/field.def"
};

#define COUNT(array)	(sizeof(array) / sizeof(*(array)))

const struct field *fields_of_driver(size_t *count)
{
	*count = COUNT(driver_fields);
	return driver_fields;
}

const struct field *fields_of_role(size_t *count)
{
	*count = COUNT(role_fields);
	return role_fields;
}

static const struct field *find_field(const struct field *fields, size_t count,
				      const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(fields[i].name, name))
			return &fields[i];
	return NULL;
}

void field_print(const json_t *paragraph, const struct field *field,
		 const char *between, void (*put)(FILE *out, const char *text),
		 FILE *out)
{
	bool apart = field->kind == FIELD_SOURCES ||
		     field->kind == FIELD_CLAUSES;
	json_t *line;
	size_t i;

	json_array_foreach(paragraph_lines(paragraph, field->name), i, line) {
		if (i)
			fputs(apart ? between : " ", out);
		put(out, json_string_value(line));
	}
}

/* Whether a value is one word of a list, alone or before a semicolon. */
static bool has_word(const char *value, const char *words)
{
	size_t length = strcspn(value, "; ");

	for (const char *word = words; *word; word += strspn(word, " ")) {
		size_t step = strcspn(word, " ");

		if (step == length && !strncmp(word, value, step))
			return !value[length] || value[length] == ';';
		word += step;
	}
	return false;
}

bool is_series(const char *text)
{
	size_t major = strspn(text, "0123456789");
	const char *minor = text + major + 1;

	return major && text[major] == '.' && *minor &&
	       !minor[strspn(minor, "0123456789")];
}

/* A series, "<=" and a series, "unknown", or "none"; then what else is to say. */
static bool is_first(const char *value)
{
	const char *text = value + 2 * !strncmp(value, "<=", 2);
	const char *word = memory_print("%.*s", (int)strcspn(text, "; "), text);

	return is_series(word) || !strcmp(value, "none") ||
	       has_word(value, "unknown none");
}

/* Series, or "none" for what is in no kernel. */
static void check_kernels(const char *path, int line, const char *value)
{
	char *copy = (char *)memory_copy(value), *rest = NULL;

	for (char *word = strtok_r(copy, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest))
		if (!is_series(word) && strcmp(value, "none"))
			fault(path, line, "Kernels: '%s' is no series such as 6.12",
			      word);
}

/* "FIELD, ...: text" with fields that there are; "All" stands for all. */
static void check_source(const char *path, int line, const struct field *field,
			 const char *text)
{
	const char *end = strstr(text, ": ");
	char *copy, *rest = NULL;

	if (has_word(text, field->words))
		return;
	if (!end) {
		fault(path, line, "%s: wanted are lines 'FIELD, ...: text', not '%.60s'",
		      field->name, text);
		return;
	}
	copy = (char *)memory_print("%.*s", (int)(end - text), text);
	for (char *name = strtok_r(copy, ", ", &rest); name;
	     name = strtok_r(NULL, ", ", &rest))
		if (strcmp(name, "All") &&
		    !find_field(role_fields, COUNT(role_fields), name))
			fault(path, line, "%s: there is no field '%s'",
			      field->name, name);
}

/* "CLAUSE VERDICT: reason" */
static void check_clause(const char *path, int line, const char *text)
{
	const char *verdict = text + strcspn(text, " ");
	const char *end = strstr(text, ": ");
	const char *word;

	verdict += strspn(verdict, " ");
	if (!end || verdict >= end) {
		fault(path, line, "Predict: wanted are lines 'CLAUSE VERDICT: reason', not '%.60s'",
		      text);
		return;
	}
	word = memory_print("%.*s", (int)(end - verdict), verdict);
	if (!verdict_find(word))
		fault(path, line, "Predict: there is no verdict '%s'", word);
}

static void check_lines(const char *path, const json_t *paragraph,
			const struct field *field)
{
	int line = paragraph_line(paragraph, field->name);
	json_t *text;
	size_t i;

	json_array_foreach(paragraph_lines(paragraph, field->name), i, text) {
		if (field->kind == FIELD_SOURCES)
			check_source(path, line, field, json_string_value(text));
		else
			check_clause(path, line, json_string_value(text));
	}
}

static void check_value(const char *path, const json_t *paragraph,
			const struct field *field)
{
	const char *value = paragraph_text(paragraph, field->name);
	int line = paragraph_line(paragraph, field->name);

	if (!value)
		fault(path, line, "%s: says nothing", field->name);
	else if (field->kind == FIELD_KERNELS)
		check_kernels(path, line, value);
	else if (field->kind == FIELD_FIRST && !is_first(value))
		fault(path, line, "First: wanted is a series such as 6.12, '<=6.1', 'unknown' or 'none', then '; ...', not '%s'",
		      value);
	else if (field->kind == FIELD_SOURCES || field->kind == FIELD_CLAUSES)
		check_lines(path, paragraph, field);
	else if (*field->words && !has_word(value, field->words))
		fault(path, line, "%s: wanted is one of: %s; then '; ...', not '%s'",
		      field->name, field->words, value);
}

static bool is_needed(const struct field *field, const json_t *paragraph)
{
	const char *attach = paragraph_text(paragraph, "Attach");

	return field->need == FIELD_ALWAYS ||
	       (field->need == FIELD_IMPORTS && attach &&
		!has_word(attach, "none"));
}

static void check_fields(const char *path, const json_t *paragraph,
			 const struct field *fields, size_t count)
{
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)paragraph, name, value)
		if (!find_field(fields, count, name))
			fault(path, paragraph_line(paragraph, name),
			      "there is no field '%s' here", name);
	for (size_t i = 0; i < count; i++) {
		if (json_object_get(paragraph, fields[i].name))
			check_value(path, paragraph, &fields[i]);
		else if (is_needed(&fields[i], paragraph))
			fault(path, paragraph_line(paragraph, ""),
			      "this paragraph lacks the field '%s'",
			      fields[i].name);
	}
}

/* Whether a line "FIELD, ...: text" names a field. */
static bool names_field(const char *text, const char *name)
{
	const char *end = strstr(text, ": ");
	char *copy, *rest = NULL;

	if (!end)
		return false;
	copy = (char *)memory_print("%.*s", (int)(end - text), text);
	for (char *word = strtok_r(copy, ", ", &rest); word;
	     word = strtok_r(NULL, ", ", &rest))
		if (!strcmp(word, name) || !strcmp(word, "All"))
			return true;
	return false;
}

static bool is_covered(const json_t *paragraph, const char *list,
		       const char *name)
{
	json_t *text;
	size_t i;

	json_array_foreach(paragraph_lines(paragraph, list), i, text)
		if (names_field(json_string_value(text), name))
			return true;
	return false;
}

/* Each fact was read somewhere, or is said to be unverified. */
static void check_sources(const char *path, const json_t *paragraph)
{
	for (size_t i = 0; i < COUNT(role_fields); i++) {
		const struct field *field = &role_fields[i];

		if (!json_object_get(paragraph, field->name) ||
		    (field->kind != FIELD_FACT && field->kind != FIELD_READ &&
		     field->kind != FIELD_FIRST &&
		     field->kind != FIELD_CLAUSES) ||
		    is_covered(paragraph, "Read", field->name) ||
		    is_covered(paragraph, "Unverified", field->name))
			continue;
		fault(path, paragraph_line(paragraph, field->name),
		      "%s: neither 'Read' nor 'Unverified' says where this comes from",
		      field->name);
	}
}

void fields_check_driver(const char *path, const json_t *paragraph)
{
	check_fields(path, paragraph, driver_fields, COUNT(driver_fields));
}

void fields_check_role(const char *path, const json_t *paragraph)
{
	check_fields(path, paragraph, role_fields, COUNT(role_fields));
	check_sources(path, paragraph);
}

// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/paragraph.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matrix/fault.h"
#include "report/memory.h"

struct reader {
	const char *path;
	int line;
	json_t *paragraphs;
	json_t *paragraph;	/* the open one, or NULL */
	json_t *field;		/* the open one, or NULL */
};

/* Without blanks at both ends. */
static char *trimmed(char *text)
{
	char *end = text + strlen(text);

	while (end > text && isspace((unsigned char)end[-1]))
		*--end = '\0';
	return text + strspn(text, " \t");
}

static void add_line(struct reader *reader, char *text)
{
	json_t *string;

	text = trimmed(text);
	if (!*text)
		return;
	string = json_string(text);
	if (!string)
		fault(reader->path, reader->line, "this is no UTF-8");
	else
		json_array_append_new(json_object_get(reader->field, "lines"),
				      string);
}

static void begin_field(struct reader *reader, const char *name)
{
	if (!reader->paragraph) {
		reader->paragraph = json_object();
		json_array_append_new(reader->paragraphs, reader->paragraph);
	}
	if (json_object_get(reader->paragraph, name))
		fault(reader->path, reader->line,
		      "field '%s' is there twice; go on in lines that begin with a blank",
		      name);
	reader->field = json_pack("{s:i s:[]}", "line", reader->line, "lines");
	json_object_set_new(reader->paragraph, name, reader->field);
}

static void take_field(struct reader *reader, char *text)
{
	size_t length = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz-");

	if (!length || text[length] != ':') {
		fault(reader->path, reader->line,
		      "not 'Field: value', and no line that goes on with a blank: %.60s",
		      text);
		return;
	}
	text[length] = '\0';
	begin_field(reader, text);
	add_line(reader, text + length + 1);
}

static void take_line(struct reader *reader, char *text)
{
	if (*text == '#')
		return;
	if (!*trimmed(text)) {
		reader->paragraph = NULL;
		reader->field = NULL;
	} else if (!isblank((unsigned char)*text)) {
		take_field(reader, text);
	} else if (reader->field) {
		add_line(reader, text);
	} else {
		fault(reader->path, reader->line,
		      "nothing that this line could go on with");
	}
}

json_t *paragraphs_read(const char *path)
{
	struct reader reader = { .path = path };
	FILE *file = fopen(path, "re");
	char *text = NULL;
	size_t room = 0;

	if (!file) {
		fault(path, 0, "cannot be read: %s", strerror(errno));
		return NULL;
	}
	reader.paragraphs = json_array();
	while (getline(&text, &room, file) >= 0) {
		reader.line++;
		take_line(&reader, text);
	}
	free(text);
	fclose(file);
	return reader.paragraphs;
}

json_t *paragraph_lines(const json_t *paragraph, const char *field)
{
	return json_object_get(json_object_get(paragraph, field), "lines");
}

const char *paragraph_text(const json_t *paragraph, const char *field)
{
	json_t *lines = paragraph_lines(paragraph, field);
	const char *text = NULL;
	json_t *line;
	size_t i;

	json_array_foreach(lines, i, line)
		text = text ? memory_print("%s %s", text,
					   json_string_value(line)) :
			      json_string_value(line);
	return text;
}

int paragraph_line(const json_t *paragraph, const char *field)
{
	json_t *found = json_object_get(paragraph, field);

	if (!found)
		found = json_object_iter_value(
			json_object_iter((json_t *)paragraph));
	return json_integer_value(json_object_get(found, "line"));
}

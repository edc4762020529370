// SPDX-License-Identifier: GPL-2.0-only
#include "others/clauses.h"

#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream/text.h"

static const char blanks[] = " \t\n";

/* What a line says of the test, or NULL. */
static char *rest_of_line(char *line, const char *program, const char *test)
{
	char *rest;
	char *word;

	line[strcspn(line, "#\n")] = '\0';
	word = strtok_r(line, blanks, &rest);
	if (!word || strcmp(word, program))
		return NULL;
	word = strtok_r(NULL, blanks, &rest);
	if (!word || fnmatch(word, test, 0))
		return NULL;
	return rest + strspn(rest, blanks);
}

static void add_clauses(json_t *touched, char *words)
{
	char *rest;

	if (*words == '-')
		return;
	for (char *word = strtok_r(words, blanks, &rest); word;
	     word = strtok_r(NULL, blanks, &rest))
		if (!text_is_among(touched, word))
			json_array_append_new(touched, json_string(word));
}

json_t *clauses_touched(const char *path, const char *program,
			const char *test)
{
	json_t *touched = json_array();
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;

	while (file && getline(&line, &room, file) > 0) {
		char *words = rest_of_line(line, program, test);

		if (words)
			add_clauses(touched, words);
	}
	free(line);
	if (file)
		fclose(file);
	return touched;
}

json_t *clauses_withheld(const char *path, const char *program,
			 const char *test)
{
	FILE *file = fopen(path, "re");
	json_t *reason = NULL;
	char *line = NULL;
	size_t room = 0;

	while (file && !reason && getline(&line, &room, file) > 0) {
		char *words = rest_of_line(line, program, test);

		if (words && *words == '-')
			reason = json_string(words + 1 + strspn(words + 1,
								blanks));
	}
	free(line);
	if (file)
		fclose(file);
	return reason;
}

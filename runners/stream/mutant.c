// SPDX-License-Identifier: GPL-2.0-only
#include "stream/mutant.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS	" \t\r\n"

struct place {
	const char *path;
	int line;
};

static bool complain(const struct place *place, const char *what,
		     const char *word)
{
	fprintf(stderr, "%s:%d: %s%s%s\n", place->path, place->line, what,
		word ? ": " : "", word ?: "");
	return false;
}

static bool add_word(struct mutant_words *words, const char *word,
		     const struct place *place)
{
	if (words->count == MUTANT_ITEMS)
		return complain(place, "too many of a kind", word);
	words->words[words->count] = strdup(word);
	if (!words->words[words->count])
		return complain(place, "no memory", NULL);
	words->count++;
	return true;
}

static bool looks_like_clause(const char *word)
{
	const char *dash = strchr(word, '-');

	return isupper((unsigned char)word[0]) && dash &&
	       isdigit((unsigned char)dash[1]);
}

static bool add_item(struct mutant *mutant, const char *word,
		     const struct place *place)
{
	static const char program[] = "program=";

	if (!strcmp(word, "crash")) {
		mutant->may_crash = true;
		return true;
	}
	if (!strcmp(word, "timing")) {
		mutant->timing = true;
		return true;
	}
	if (strchr(word, ','))
		return add_word(&mutant->pairs, word, place);
	if (!strncmp(word, program, sizeof(program) - 1))
		return add_word(&mutant->programs, word + sizeof(program) - 1,
				place);
	if (looks_like_clause(word))
		return add_word(&mutant->clauses, word, place);
	return complain(place, "neither a clause (PIN-08), a pair (EXPORTER,"
			"IMPORTER), program=NAME, timing nor crash", word);
}

static bool is_subject(const char *word)
{
	static const char *const subjects[] = {
		"exporter", "importer", "umem", "nic", "core",
	};

	for (size_t i = 0; i < sizeof(subjects) / sizeof(*subjects); i++)
		if (!strcmp(subjects[i], word))
			return true;
	return false;
}

static bool name_mutant(struct mutant *mutant, const char *name,
			const char *module, const struct place *place)
{
	if (!module || !is_subject(module))
		return complain(place, "the second word must be exporter, "
				"importer, umem, nic or core", module);

	snprintf(mutant->fault, sizeof(mutant->fault), "%s:%s", module, name);
	mutant->name = strdup(name);
	mutant->module = strdup(module);
	if (!mutant->name || !mutant->module)
		return complain(place, "no memory", NULL);
	return true;
}

static bool parse_mutant(struct mutant *mutant, char *text,
			 const struct place *place)
{
	char *rest;
	char *name = strtok_r(text, BLANKS, &rest);
	char *word;

	if (!name_mutant(mutant, name, strtok_r(NULL, BLANKS, &rest), place))
		return false;
	while ((word = strtok_r(NULL, BLANKS, &rest)))
		if (!add_item(mutant, word, place))
			return false;
	if (!mutant->clauses.count)
		return complain(place, "no clause", name);
	return true;
}

static bool is_known(const struct mutant_list *list, const char *fault)
{
	for (size_t i = 0; i + 1 < list->count; i++)
		if (!strcmp(list->mutants[i].fault, fault))
			return true;
	return false;
}

static bool parse_line(struct mutant_list *list, char *text,
		       const struct place *place)
{
	struct mutant *mutants, *mutant;

	text[strcspn(text, "#")] = '\0';
	if (strspn(text, BLANKS) == strlen(text))
		return true;

	mutants = realloc(list->mutants, (list->count + 1) * sizeof(*mutants));
	if (!mutants)
		return complain(place, "no memory", NULL);
	list->mutants = mutants;
	mutant = &mutants[list->count++];
	memset(mutant, 0, sizeof(*mutant));
	if (!parse_mutant(mutant, text, place))
		return false;
	if (is_known(list, mutant->fault))
		return complain(place, "listed twice", mutant->fault);
	return true;
}

bool mutant_list_load(struct mutant_list *list, const char *path)
{
	struct place place = { .path = path };
	FILE *file = fopen(path, "re");
	char *text = NULL;
	size_t size = 0;
	bool good = true;

	memset(list, 0, sizeof(*list));
	if (!file) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return false;
	}
	while (good && getline(&text, &size, file) >= 0) {
		place.line++;
		good = parse_line(list, text, &place);
	}
	if (good && ferror(file))
		good = complain(&place, "cannot be read", strerror(errno));
	if (good && !list->count)
		good = complain(&place, "lists no mutant", NULL);
	free(text);
	fclose(file);
	return good;
}

static void release_words(struct mutant_words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->words[i]);
}

void mutant_list_release(struct mutant_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		struct mutant *mutant = &list->mutants[i];

		free(mutant->name);
		free(mutant->module);
		release_words(&mutant->clauses);
		release_words(&mutant->pairs);
		release_words(&mutant->programs);
	}
	free(list->mutants);
	memset(list, 0, sizeof(*list));
}

bool clause_covers(const char *general, const char *clause)
{
	size_t length = strlen(general);

	return !strncmp(general, clause, length) &&
	       (clause[length] == '\0' || clause[length] == '.');
}

bool mutant_has_clause(const struct mutant *mutant, const char *clause)
{
	for (size_t i = 0; i < mutant->clauses.count; i++)
		if (clause_covers(mutant->clauses.words[i], clause))
			return true;
	return false;
}

static bool is_among(const struct mutant_words *words, const char *word)
{
	for (size_t i = 0; i < words->count; i++)
		if (!strcmp(words->words[i], word))
			return true;
	return !words->count;
}

bool mutant_has_pair(const struct mutant *mutant, const char *pair)
{
	return is_among(&mutant->pairs, pair);
}

bool mutant_has_program(const struct mutant *mutant, const char *program)
{
	return is_among(&mutant->programs, program);
}

// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/fact.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matrix/fault.h"
#include "matrix/field.h"
#include "matrix/paragraph.h"

static void add_words(struct list *list, const char *text)
{
	char *copy = (char *)memory_copy(text ?: ""), *rest = NULL;

	for (char *word = strtok_r(copy, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest))
		list_add(list, word);
}

/* "CLAUSE VERDICT: reason", which the check of fields has seen. */
static void add_prediction(struct fact_role *role, const char *text)
{
	struct prediction *prediction = memory_get(sizeof(*prediction));
	const char *end = strstr(text, ": ");
	size_t length = strcspn(text, " ");
	const char *verdict = text + length + strspn(text + length, " ");

	if (!end || verdict >= end)
		return;
	prediction->clause = memory_print("%.*s", (int)length, text);
	prediction->verdict = memory_print("%.*s", (int)(end - verdict),
					   verdict);
	prediction->reason = memory_copy(end + 2);
	list_add(&role->predictions, prediction);
}

/* What is in no kernel has "none", and no row before somebody ran it. */
static void add_kernels(struct fact_role *role, const char *text)
{
	if (text && strcmp(text, "none"))
		add_words(&role->kernels, text);
}

static void add_role(struct fact *fact, const json_t *paragraph)
{
	struct fact_role *role = memory_get(sizeof(*role));
	json_t *text;
	size_t i;

	role->paragraph = paragraph;
	role->role = paragraph_text(paragraph, "Role") ?: "?";
	role->what = paragraph_text(paragraph, "What");
	add_kernels(role, paragraph_text(paragraph, "Kernels"));
	json_array_foreach(paragraph_lines(paragraph, "Predict"), i, text)
		add_prediction(role, json_string_value(text));
	list_add(&fact->roles, role);
	fields_check_role(fact->path, paragraph);
}

static void check_name(const struct fact *fact)
{
	const char *name = strrchr(fact->path, '/') + 1;
	size_t length = strlen(fact->driver);

	if (strncmp(name, fact->driver, length) ||
	    strcmp(name + length, FACT_SUFFIX))
		fault(fact->path, paragraph_line(fact->paragraph, "Driver"),
		      "the file of driver '%s' must be called %s" FACT_SUFFIX,
		      fact->driver, fact->driver);
}

static void load(struct list *facts, const char *path)
{
	struct fact *fact = memory_get(sizeof(*fact));
	json_t *paragraphs = paragraphs_read(path);
	json_t *paragraph;
	size_t i;

	if (!json_array_size(paragraphs)) {
		fault(path, 0, "there is nothing in it");
		json_decref(paragraphs);
		return;
	}
	memory_hold(paragraphs);
	fact->path = memory_copy(path);
	fact->paragraph = json_array_get(paragraphs, 0);
	fact->driver = paragraph_text(fact->paragraph, "Driver") ?: "?";
	fact->vendor = paragraph_text(fact->paragraph, "Vendor") ?: "?";
	add_words(&fact->names, fact->driver);
	add_words(&fact->names, paragraph_text(fact->paragraph, "Also"));
	add_words(&fact->others, paragraph_text(fact->paragraph, "Like"));
	fields_check_driver(path, fact->paragraph);
	check_name(fact);
	json_array_foreach(paragraphs, i, paragraph)
		if (i)
			add_role(fact, paragraph);
	if (!fact->roles.count)
		fault(path, 0, "no paragraph says in which role the driver is");
	list_add(facts, fact);
	json_decref(paragraphs);
}

static void check_names(const struct list *facts, const struct fact *fact,
			const struct list *names)
{
	for_list(const char *, name, names) {
		const struct fact *first = facts_find(facts, name);

		if (first != fact)
			fault(fact->path, 0, "driver '%s' is in %s, too", name,
			      first->path);
	}
}

/* No two files may speak of one driver. */
static void check_twice(const struct list *facts)
{
	for_list(const struct fact *, fact, facts) {
		check_names(facts, fact, &fact->names);
		check_names(facts, fact, &fact->others);
	}
}

static int is_fact_file(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return entry->d_name[0] != '.' && dot && !strcmp(dot, FACT_SUFFIX);
}

bool facts_load(struct list *facts, const char *folder)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, is_fact_file, alphasort);

	if (count < 0) {
		fprintf(stderr, "cts-matrix: cannot read the folder of facts %s: %s\n",
			folder, strerror(errno));
		return false;
	}
	for (int i = 0; i < count; i++) {
		load(facts, memory_print("%s/%s", folder, entries[i]->d_name));
		free(entries[i]);
	}
	free(entries);
	check_twice(facts);
	return true;
}

static bool has_name(const struct list *names, const char *wanted)
{
	for_list(const char *, name, names)
		if (!strcmp(name, wanted))
			return true;
	return false;
}

bool fact_is_driver(const struct fact *fact, const char *name)
{
	return has_name(&fact->names, name);
}

const struct fact *facts_find(const struct list *facts, const char *driver)
{
	for_list(const struct fact *, fact, facts)
		if (has_name(&fact->names, driver) ||
		    has_name(&fact->others, driver))
			return fact;
	return NULL;
}

bool fact_role_holds(const struct fact_role *role, const char *series)
{
	return has_name(&role->kernels, series);
}

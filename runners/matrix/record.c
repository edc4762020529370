// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/record.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "matrix/fault.h"
#include "matrix/field.h"
#include "report/outfile.h"
#include "report/verdict.h"
#include "stream/text.h"

static const char *const roles[] = { "exporter", "importer", "core",
				     "rdma-core" };
static const char *const evidences[] = { "hardware", "emulated", "software" };

#define COUNT(array)	(sizeof(array) / sizeof(*(array)))

static bool is_among(const char *word, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(words[i], word))
			return true;
	return false;
}

/* A driver's name comes from somebody's kernel, and becomes a file's. */
static bool is_file_name(const char *name)
{
	return *name && *name != '.' &&
	       !name[strspn(name, "abcdefghijklmnopqrstuvwxyz"
				  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")];
}

const char *record_path(const char *folder, const json_t *result)
{
	const char *series = text_member(result, "series", "");
	const char *driver = text_member(result, "driver", "");
	const char *role = text_member(result, "role", "");
	const char *evidence = text_member(result, "evidence", "");

	if (!is_series(series) || !is_file_name(driver) ||
	    !is_among(role, roles, COUNT(roles)) ||
	    !is_among(evidence, evidences, COUNT(evidences)))
		return NULL;
	return memory_print("%s/%s/%s,%s,%s.json", folder, series, driver, role,
			    evidence);
}

/* A text that grows; jansson alone would write all in one line, or each word. */
struct text {
	char *data;
	size_t size;
	FILE *stream;
};

static void print_member(FILE *stream, const char *name, const json_t *value,
			 const char *end)
{
	char *text = json_dumps(value, JSON_ENCODE_ANY);

	fprintf(stream, "\"%s\": %s%s\n", name, text ?: "null", end);
	free(text);
}

static void print_clauses(FILE *stream, const json_t *clauses)
{
	size_t left = json_object_size(clauses);
	const char *clause;
	json_t *entry;

	fputs(" \"clauses\": {\n", stream);
	json_object_foreach((json_t *)clauses, clause, entry) {
		fputs("  ", stream);
		print_member(stream, clause, entry, --left ? "," : "");
	}
	fputs(" }\n", stream);
}

static int compare_names(const void *one, const void *other)
{
	return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* A clause's place in a file does not hang on what a run did first. */
static json_t *sorted(const json_t *object)
{
	json_t *copy = json_object();
	struct list names = { 0 };
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)object, name, value)
		list_add(&names, (char *)memory_copy(name));
	if (names.count)
		qsort(names.items, names.count, sizeof(*names.items),
		      compare_names);
	for_list(const char *, next, &names)
		json_object_set(copy, next, json_object_get(object, next));
	return copy;
}

static void print_result(FILE *stream, const json_t *result)
{
	json_t *clauses = sorted(json_object_get(result, "clauses"));
	const char *name;
	json_t *value;

	fputs("{\n", stream);
	json_object_foreach((json_t *)result, name, value) {
		if (!strcmp(name, "clauses"))
			continue;
		fputc(' ', stream);
		print_member(stream, name, value, ",");
	}
	print_clauses(stream, clauses);
	fputs("}\n", stream);
	json_decref(clauses);
}

static bool make_folder(const char *path)
{
	const char *folder = memory_print("%.*s",
					  (int)(strrchr(path, '/') - path),
					  path);

	return !mkdir(folder, 0755) || errno == EEXIST ||
	       outfile_complain(folder, "make the folder");
}

bool record_write(const char *path, const json_t *result)
{
	struct text text = { 0 };
	bool good;

	text.stream = open_memstream(&text.data, &text.size);
	if (!text.stream)
		return outfile_complain(path, "write");
	print_result(text.stream, result);
	good = !fclose(text.stream) && make_folder(path) &&
	       outfile_replace(path, text.data, text.size);
	free(text.data);
	return good;
}

static bool has_verdicts(const char *path, const json_t *result)
{
	json_t *clauses = json_object_get(result, "clauses");
	const char *clause;
	json_t *entry;

	if (!json_is_object(clauses)) {
		fault(path, 0, "it has no clauses");
		return false;
	}
	json_object_foreach(clauses, clause, entry) {
		const char *verdict = text_member(entry, "verdict", "");

		if (verdict_find(verdict))
			continue;
		fault(path, 0, "clause %s has an unknown verdict '%s'", clause,
		      verdict);
		return false;
	}
	return true;
}

static bool is_in_place(const char *path, const json_t *result)
{
	const char *wanted = record_path("", result);
	size_t length = strlen(path);

	if (wanted && length > strlen(wanted) &&
	    !strcmp(path + length - strlen(wanted), wanted))
		return true;
	fault(path, 0, "it holds the result that belongs in %s",
	      wanted ? wanted + 1 : "no file: series, driver, role or evidence is wrong");
	return false;
}

json_t *record_read(const char *path)
{
	json_error_t error;
	json_t *result = json_load_file(path, 0, &error);
	json_int_t schema = json_integer_value(json_object_get(result,
							       "schema"));

	if (!result)
		fault(path, error.line, "%s", error.text);
	else if (schema > RECORD_SCHEMA)
		fault(path, 0, "it is of a newer suite: schema %lld, known is %d",
		      (long long)schema, RECORD_SCHEMA);
	else if (schema < 1)
		fault(path, 0, "it is no result: it has no schema");
	else if (is_in_place(path, result) && has_verdicts(path, result))
		return result;
	json_decref(result);
	return NULL;
}

static int is_record(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return entry->d_name[0] != '.' && dot && !strcmp(dot, ".json");
}

static int is_folder(const struct dirent *entry)
{
	return is_series(entry->d_name);
}

static bool load_series(struct list *records, const char *folder)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, is_record, alphasort);

	for (int i = 0; i < count; i++) {
		json_t *result = record_read(memory_print("%s/%s", folder,
			entries[i]->d_name));

		if (result)
			list_add(records, memory_hold(result));
		json_decref(result);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	return count >= 0;
}

bool records_load(struct list *records, const char *folder)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, is_folder, versionsort);
	bool good = count >= 0;

	for (int i = 0; i < count; i++) {
		good &= load_series(records, memory_print("%s/%s", folder,
			entries[i]->d_name));
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	if (!good)
		fprintf(stderr, "cts-matrix: cannot read the folder of results %s: %s\n",
			folder, strerror(errno));
	return good;
}

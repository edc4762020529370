// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/add.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "matrix/record.h"
#include "matrix/reduce.h"
#include "report/verdict.h"
#include "stream/text.h"
#include "stream/version.h"

/* One result on its way to its file. */
struct addition {
	const char *path;
	json_t *result;
	json_t *old;		/* what is recorded, or NULL */
};

static bool refuse(const char *path, const char *why)
{
	fprintf(stderr, "cts-matrix: %s is not taken: %s\n", path, why);
	return false;
}

static bool is_mutation(const json_t *run)
{
	json_t *leaf;
	size_t i;

	json_array_foreach(json_object_get(run, "leaves"), i, leaf)
		if (json_object_get(leaf, "fault"))
			return true;
	return false;
}

/* A verdict that this version does not know, or NULL. */
static const char *unknown_verdict(const json_t *run)
{
	json_t *leaf;
	size_t i;

	json_array_foreach(json_object_get(run, "leaves"), i, leaf) {
		const char *verdict = text_member(leaf, "verdict", "(none)");

		if (!verdict_find(verdict))
			return verdict;
	}
	return NULL;
}

/* Whether what the run says is what somebody's drivers did. */
static bool check_run(const char *path, const json_t *run)
{
	json_t *schema = json_object_get(run, "schema");
	json_t *cut_short = json_object_get(run, "cut_short");

	if (!json_is_integer(schema))
		return refuse(path, "it is no run.json: it has no schema");
	if (json_integer_value(schema) > STREAM_SCHEMA)
		return refuse(path, memory_print("it is of a newer suite (schema %lld, this one knows %d); update this checkout",
			(long long)json_integer_value(schema), STREAM_SCHEMA));
	if (!json_is_true(json_object_get(run, "complete")))
		return refuse(path, "something of it remains to be run: go on with 'dmabuf-cts run --resume'");
	if (json_is_string(cut_short))
		return refuse(path, memory_print("it was cut short: %s",
						 json_string_value(cut_short)));
	if (is_mutation(run))
		return refuse(path, "faults were switched on in it");
	if (unknown_verdict(run))
		return refuse(path, memory_print("it has a verdict that is none: '%s'",
						 unknown_verdict(run)));
	return true;
}

static const char *run_file(const char *path)
{
	struct stat about;

	if (!stat(path, &about) && S_ISDIR(about.st_mode))
		return memory_print("%s/run.json", path);
	return path;
}

static json_t *read_run(const char *path)
{
	json_error_t error;
	json_t *run;

	run = json_load_file(path, 0, &error);
	if (!run)
		fprintf(stderr, "cts-matrix: cannot read %s: %s\n", path,
			error.text);
	else if (check_run(path, run))
		return run;
	json_decref(run);
	return NULL;
}

/* What the addresses of DMA were is in a file beside run.json, if it is there. */
static void add_iommu(json_t *results, const char *path)
{
	const char *name = memory_print("%.*senvironment.json",
		(int)(strrchr(path, '/') ? strrchr(path, '/') + 1 - path : 0),
		path);
	json_t *file = json_load_file(name, 0, NULL);
	json_t *iommu = json_object_get(json_object_get(file, "environment"),
					"iommu");
	const char *mode = text_member(iommu, "mode", NULL);
	json_t *result;
	size_t i;

	json_array_foreach(results, i, result)
		if (mode)
			json_object_set_new(result, "iommu", json_string(mode));
	json_decref(file);
}

static size_t count_lost(const struct addition *addition, const char **first)
{
	json_t *clauses = json_object_get(addition->result, "clauses");
	const char *clause;
	json_t *entry;
	size_t lost = 0;

	json_object_foreach(json_object_get(addition->old, "clauses"), clause,
			    entry) {
		if (json_object_get(clauses, clause))
			continue;
		if (!lost++)
			*first = clause;
	}
	return lost;
}

static size_t count_changed(const struct addition *addition)
{
	json_t *clauses = json_object_get(addition->result, "clauses");
	json_t *old = json_object_get(addition->old, "clauses");
	const char *clause;
	json_t *entry;
	size_t changed = 0;

	json_object_foreach(clauses, clause, entry)
		changed += !!strcmp(text_member(entry, "verdict", ""),
				    text_member(json_object_get(old, clause),
						"verdict", ""));
	return changed;
}

/* A file that is there and cannot be read is not written over. */
static bool prepare(struct list *additions, const char *folder, json_t *result)
{
	struct addition *addition = memory_get(sizeof(*addition));

	addition->result = result;
	addition->path = record_path(folder, result);
	if (!addition->path) {
		fprintf(stderr, "cts-matrix: no file can be named for driver '%s' on kernel series '%s'\n",
			text_member(result, "driver", "?"),
			text_member(result, "series", "?"));
		return false;
	}
	if (!access(addition->path, F_OK)) {
		addition->old = record_read(addition->path);
		if (!addition->old)
			return false;
		memory_hold(addition->old);
		json_decref(addition->old);
	}
	list_add(additions, addition);
	return true;
}

static bool check_nothing_lost(const struct list *additions)
{
	bool good = true;

	for_list(const struct addition *, addition, additions) {
		const char *first = NULL;
		size_t lost = count_lost(addition, &first);

		if (!lost)
			continue;
		fprintf(stderr, "cts-matrix: the run has no verdict on %s and %zu other clauses that %s has; run all programs on all pairs, or add with --replace\n",
			first, lost - 1, addition->path);
		good = false;
	}
	return good;
}

static bool write_all(const struct list *additions)
{
	for_list(const struct addition *, addition, additions) {
		size_t clauses = json_object_size(
			json_object_get(addition->result, "clauses"));

		if (!record_write(addition->path, addition->result))
			return false;
		printf("%s: %zu clauses", addition->path, clauses);
		if (addition->old)
			printf(", %zu verdicts changed\n",
			       count_changed(addition));
		else
			puts(", new");
	}
	return true;
}

/* What one run has for each driver, to be written when all runs are read. */
static bool take_run(struct list *additions, const char *path,
		     const char *folder, const struct columns *columns)
{
	json_t *run = read_run(run_file(path));
	json_t *results, *result;
	bool good = true;
	size_t i;

	if (!run)
		return false;
	results = memory_hold(reduce_run(run, columns));
	add_iommu(results, run_file(path));
	json_array_foreach(results, i, result)
		good &= prepare(additions, folder, result);
	if (good && !json_array_size(results))
		good = refuse(path, "it judges no driver: only the suite's own peers took part");
	json_decref(results);
	json_decref(run);
	return good;
}

bool add_runs(char *const *paths, const char *folder,
	      const struct columns *columns, bool replace)
{
	struct list additions = { 0 };
	bool good = true;

	for (; *paths; paths++)
		good &= take_run(&additions, *paths, folder, columns);
	return good && (replace || check_nothing_lost(&additions)) &&
	       write_all(&additions);
}

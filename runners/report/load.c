// SPDX-License-Identifier: GPL-2.0-only
#include "report/load.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "report/results.h"
#include "stream/text.h"
#include "stream/version.h"

static bool complain(const struct loaded *loaded, const char *what)
{
	fprintf(stderr, "cts-report: %s: %s\n", loaded->path, what);
	return false;
}

static const char *path_of_results(const char *path)
{
	struct stat status;

	if (!stat(path, &status) && S_ISDIR(status.st_mode))
		return memory_print("%s/run.json", path);
	return memory_copy(path);
}

static bool read_json(struct loaded *loaded)
{
	json_error_t error;
	json_int_t schema;

	loaded->json = json_load_file(loaded->path, 0, &error);
	if (!loaded->json && error.line < 0)
		return complain(loaded, strerror(errno));
	if (!loaded->json)
		return complain(loaded, memory_print("line %d: %s", error.line,
						     error.text));
	if (!json_is_array(json_object_get(loaded->json, "leaves")))
		return complain(loaded, "is no run.json");
	schema = json_integer_value(json_object_get(loaded->json, "schema"));
	if (schema != STREAM_SCHEMA)
		return complain(loaded, memory_print("has schema %lld, this "
			"suite reads %d: use the suite that wrote it, %s",
			(long long)schema, STREAM_SCHEMA,
			text_member(loaded->json, "suite", "or a newer one")));
	return true;
}

/* An array of the file, into one of the run. */
static void take_array(struct loaded *loaded, const char *name, json_t *array)
{
	json_t *from = json_object_get(loaded->json, name);

	if (json_is_array(from))
		json_array_extend(array, from);
}

static void take_texts(struct loaded *loaded, const char *name,
		       struct list *texts)
{
	json_t *text;
	size_t i;

	json_array_foreach(json_object_get(loaded->json, name), i, text)
		if (json_is_string(text))
			list_add(texts, (char *)json_string_value(text));
}

/* What run.json does not repeat, where the folder is still whole. */
static json_t *read_environment(const struct loaded *loaded)
{
	const char *slash = strrchr(loaded->path, '/');
	const char *path = memory_print("%.*senvironment.json",
		slash ? (int)(slash + 1 - loaded->path) : 0, loaded->path);
	json_t *file = json_load_file(path, 0, NULL);
	json_t *environment = json_object_get(file, "environment");

	environment = json_is_object(environment) ? json_copy(environment) :
		      json_object();
	json_decref(file);
	return environment;
}

static void take_environment(struct loaded *loaded)
{
	static const char *const members[] = { "kernel", "clause_table" };
	struct run *run = &loaded->run;

	run->hello = json_pack("{s:s s:s}",
		"suite", text_member(loaded->json, "suite", "?"),
		"mode", text_member(loaded->json, "mode", "?"));
	run->environment = read_environment(loaded);
	for (size_t i = 0; i < 2; i++)
		json_object_set(run->environment, members[i],
				json_object_get(loaded->json, members[i]));
	take_array(loaded, "law", run->laws);
	take_array(loaded, "backends", run->backends);
	take_array(loaded, "guests", run->guests);
	take_texts(loaded, "notes", &run->notes);
	take_texts(loaded, "complaints", &run->complaints);
	take_texts(loaded, "leaks", &run->leaks);
	take_texts(loaded, "known_leaks", &run->known_leaks);
	take_texts(loaded, "missing", &loaded->missing);
}

static void take_end(struct loaded *loaded)
{
	loaded->complete = json_is_true(json_object_get(loaded->json,
							"complete"));
	loaded->run.cut_short = text_member(loaded->json, "cut_short", NULL);
	if (!loaded->complete && !loaded->run.cut_short)
		loaded->run.cut_short = "something remains to be run";
}

static bool has_name(const json_t *entry)
{
	static const char *const members[] = { "exporter", "importer",
		"program", "case", "clause", "verdict" };

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		if (!text_member(entry, members[i], NULL))
			return false;
	return true;
}

static bool is_of_job(const json_t *entry, const struct job *job)
{
	return !strcmp(job->pair->exporter, text_member(entry, "exporter", "")) &&
	       !strcmp(job->pair->importer, text_member(entry, "importer", "")) &&
	       !strcmp(job->program, text_member(entry, "program", "")) &&
	       !strcmp(job->fault ?: "", text_member(entry, "fault", "")) &&
	       !strcmp(job->origin ?: "", text_member(entry, "origin", ""));
}

/* What was chosen of each is in them; not so of runs of older suites. */
static bool take_jobs(struct loaded *loaded)
{
	json_t *entry;
	size_t i;

	json_array_foreach(json_object_get(loaded->json, "jobs"), i, entry) {
		int number = json_integer_value(json_object_get(entry, "job"));

		if (run_find_job(&loaded->run, number))
			return complain(loaded, memory_print("job %d is there "
							     "twice", number));
		run_add_job(&loaded->run, entry)->state = JOB_OVER;
	}
	return true;
}

static bool has_leaves(const struct pair *pair)
{
	for_list(struct job *, job, &pair->jobs)
		for_list(struct test_case *, test, &job->cases)
			if (test->leaves.count)
				return true;
	return false;
}

/* Of a run that is incomplete. */
static void drop_empty_pairs(struct run *run)
{
	struct list pairs = run->pairs;

	run->pairs = (struct list){ 0 };
	for_list(struct pair *, pair, &pairs)
		if (has_leaves(pair))
			list_add(&run->pairs, pair);
}

/* Leaves come job by job, so that it is mostly the last one. */
static struct job *job_of(struct loaded *loaded, json_t *entry)
{
	int number = json_integer_value(json_object_get(entry, "job"));

	if (!loaded->job || loaded->job->number != number)
		loaded->job = run_find_job(&loaded->run, number);
	if (!loaded->job)
		loaded->job = run_add_job(&loaded->run, entry);
	loaded->job->state = JOB_OVER;
	return loaded->job;
}

static struct test_case *case_of(struct job *job, const json_t *entry)
{
	struct test_case *test =
		job_add_case(job, text_member(entry, "case", ""));

	test->touches = json_object_get(entry, "touches");
	test->any = text_member(entry, "any_partner", NULL);
	test->started = test->ended = test->run_over = test->judged = true;
	test->end_ns = json_integer_value(json_object_get(entry,
							  "duration_ns"));
	return test;
}

static void fill_leaf(struct leaf *leaf, const json_t *entry)
{
	json_t *law = json_object_get(entry, "law");
	json_t *subject = json_object_get(entry, "subject");

	leaf->strength = text_member(entry, "strength", "");
	leaf->value = text_member(entry, "value", "");
	leaf->law = json_is_array(law) ? law : NULL;
	leaf->subject = json_is_object(subject) ? subject : NULL;
	leaf->ours = json_is_true(json_object_get(entry, "self_test"));
	leaf->recorded = entry;
	leaf->expected = text_member(entry, "expected", NULL);
	leaf->excuse = text_member(entry, "known", NULL);
	leaf->flake = text_member(entry, "flake", NULL);
}

static bool take_leaf(struct loaded *loaded, json_t *entry, size_t index)
{
	enum verdict verdict = verdict_find(text_member(entry, "verdict", ""));
	const char *clause = text_member(entry, "clause", "");
	struct test_case *test;
	struct job *job;

	if (!has_name(entry))
		return complain(loaded, memory_print("leaf %zu has no name, or "
						     "no verdict", index));
	if (verdict == VERDICT_NONE)
		return complain(loaded, memory_print("leaf %zu has a verdict "
			"that this suite does not know: %s", index,
			text_member(entry, "verdict", "")));
	job = job_of(loaded, entry);
	if (!is_of_job(entry, job))
		return complain(loaded, memory_print("job %d is two different "
						     "ones", job->number));
	test = case_of(job, entry);
	if (case_find_leaf(test, clause))
		return complain(loaded, memory_print("two leaves are named "
			"\"%s %s %s\"", job->pair->name, case_title(test),
			clause));
	fill_leaf(case_add_leaf(test, clause, verdict,
				text_member(entry, "reason", "")), entry);
	return true;
}

struct naming {
	json_t *names;
	const char *twice;
};

static void note_name(struct leaf *leaf, struct test_case *test, void *context)
{
	struct naming *naming = context;
	const char *name = load_leaf_name(leaf, test);

	if (json_object_get(naming->names, name))
		naming->twice = name;
	json_object_set_new(naming->names, name, json_true());
}

/* Two jobs might still run the same. */
static bool check_names(const struct loaded *loaded)
{
	struct naming naming = { .names = json_object() };

	run_visit_leaves(&loaded->run, note_name, &naming);
	json_decref(naming.names);
	return !naming.twice ||
	       complain(loaded, memory_print("two leaves are named \"%s\"",
					     naming.twice));
}

static bool check_totals(const struct loaded *loaded)
{
	struct totals totals = totals_of(&loaded->run, SHARE_ALL);
	json_t *said = json_object_get(loaded->json, "totals");

	for (int verdict = 1; verdict < VERDICT_COUNT; verdict++) {
		const char *name = verdict_name(verdict);
		json_int_t count = json_integer_value(json_object_get(said,
								      name));

		if (count != totals.by_verdict[verdict])
			return complain(loaded, memory_print("has %u leaves "
				"with verdict %s, its totals say %lld",
				totals.by_verdict[verdict], name,
				(long long)count));
	}
	return true;
}

bool load_run(struct loaded *loaded, const char *path)
{
	json_t *entry;
	size_t i;

	*loaded = (struct loaded){ .path = path_of_results(path) };
	run_init(&loaded->run);
	if (!read_json(loaded))
		return false;
	take_environment(loaded);
	take_end(loaded);
	if (!take_jobs(loaded))
		return false;
	json_array_foreach(json_object_get(loaded->json, "leaves"), i, entry)
		if (!take_leaf(loaded, entry, i))
			return false;
	drop_empty_pairs(&loaded->run);
	return check_names(loaded) && check_totals(loaded);
}

const char *load_leaf_name(const struct leaf *leaf,
			   const struct test_case *test)
{
	return memory_print("%s %s %s", test->job->pair->name,
			    case_title(test), leaf->clause);
}

void load_release(struct loaded *loaded)
{
	run_release(&loaded->run);
	json_decref(loaded->json);
}

// SPDX-License-Identifier: GPL-2.0-only
#include "report/model.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream/text.h"

#define COMPLAINTS_MAX	1000

void run_init(struct run *run)
{
	memset(run, 0, sizeof(*run));
	run->laws = json_array();
	run->backends = json_array();
	run->guests = json_array();
}

void run_release(struct run *run)
{
	json_decref(run->hello);
	json_decref(run->environment);
	json_decref(run->laws);
	json_decref(run->backends);
	json_decref(run->guests);
	memory_release();
}

bool run_was_interrupted(const struct run *run)
{
	static const char word[] = "interrupted";

	return run->cut_short &&
	       !strncmp(run->cut_short, word, sizeof(word) - 1);
}

void run_complain(struct run *run, const char *format, ...)
{
	va_list arguments;
	char text[512];

	if (run->complaints.count == COMPLAINTS_MAX)
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	list_add(&run->complaints, (char *)memory_copy(text));
}

struct job *run_find_job(const struct run *run, int number)
{
	for_list(struct job *, job, &run->jobs)
		if (job->number == number)
			return job;
	return NULL;
}

static struct pair *find_pair(struct run *run, const char *exporter,
			      const char *importer)
{
	struct pair *pair;

	for_list(struct pair *, known, &run->pairs)
		if (!strcmp(known->exporter, exporter) &&
		    !strcmp(known->importer, importer))
			return known;

	pair = memory_get(sizeof(*pair));
	pair->exporter = memory_copy(exporter);
	pair->importer = memory_copy(importer);
	pair->name = memory_print("%s,%s", exporter, importer);
	pair->all_skipped = true;
	list_add(&run->pairs, pair);
	return pair;
}

struct job *run_add_job(struct run *run, json_t *scheduled)
{
	struct job *job = memory_get(sizeof(*job));

	job->number = json_integer_value(json_object_get(scheduled, "job"));
	job->program = memory_copy(text_member(scheduled, "program", "?"));
	job->fault = memory_copy(text_member(scheduled, "fault", NULL));
	job->origin = memory_copy(text_member(scheduled, "origin", NULL));
	job->tries = json_integer_value(json_object_get(scheduled, "tries"));
	job->scheduled = memory_hold(scheduled);
	job->pair = find_pair(run, text_member(scheduled, "exporter", "?"),
			      text_member(scheduled, "importer", "?"));
	list_add(&job->pair->jobs, job);
	list_add(&run->jobs, job);
	return job;
}

struct test_case *job_find_case(const struct job *job, const char *name)
{
	for_list(struct test_case *, test, &job->cases)
		if (!strcmp(test->name, name))
			return test;
	return NULL;
}

struct test_case *job_add_case(struct job *job, const char *name)
{
	struct test_case *test = job_find_case(job, name);

	if (test)
		return test;
	test = memory_get(sizeof(*test));
	test->job = job;
	test->name = memory_copy(name);
	list_add(&job->cases, test);
	return test;
}

const char *case_title(const struct test_case *test)
{
	const struct job *job = test->job;

	if (job->fault)
		return memory_print("%s[%s].%s", job->program, job->fault,
				    test->name);
	return memory_print("%s.%s", job->program, test->name);
}

struct leaf *case_find_leaf(const struct test_case *test, const char *clause)
{
	for_list(struct leaf *, leaf, &test->leaves)
		if (!strcmp(leaf->clause, clause))
			return leaf;
	return NULL;
}

struct leaf *case_add_leaf(struct test_case *test, const char *clause,
			   enum verdict verdict, const char *reason)
{
	struct leaf *leaf = case_find_leaf(test, clause);

	if (leaf && verdict <= leaf->verdict)
		return leaf;
	if (!leaf) {
		leaf = memory_get(sizeof(*leaf));
		leaf->clause = memory_copy(clause);
		leaf->strength = "";
		leaf->value = "";
		list_add(&test->leaves, leaf);
	}
	leaf->verdict = verdict;
	leaf->reason = memory_copy(reason);
	return leaf;
}

json_t *run_find_backend(const struct run *run, const char *role,
			 const char *selector)
{
	json_t *backend;
	size_t i;

	json_array_foreach(run->backends, i, backend)
		if (!strcmp(text_member(backend, "role", ""), role) &&
		    !strcmp(text_member(backend, "selector", ""), selector))
			return backend;
	return NULL;
}

bool run_is_ours(const struct run *run, const char *role, const char *selector)
{
	return json_is_true(json_object_get(run_find_backend(run, role, selector),
					    "ours"));
}

static void visit_case(struct test_case *test, leaf_visitor visit,
		       void *context)
{
	if (!test->judged)
		return;
	for_list(struct leaf *, leaf, &test->leaves)
		visit(leaf, test, context);
}

void run_visit_leaves(const struct run *run, leaf_visitor visit, void *context)
{
	for_list(struct pair *, pair, &run->pairs)
		for_list(struct job *, job, &pair->jobs)
			for_list(struct test_case *, test, &job->cases)
				visit_case(test, visit, context);
}

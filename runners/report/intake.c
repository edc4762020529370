// SPDX-License-Identifier: GPL-2.0-only
#include "report/intake.h"

#include <string.h>

#include "report/judge.h"
#include "report/life.h"
#include "report/ksft.h"
#include "report/source.h"
#include "stream/text.h"
#include "stream/version.h"

static struct job *job_of(struct run *run, const json_t *record)
{
	return run_find_job(run, json_integer_value(
				json_object_get(record, "job")));
}

static void take_hello(struct run *run, json_t *record)
{
	json_int_t schema = json_integer_value(json_object_get(record,
							       "schema"));

	if (schema != STREAM_SCHEMA) {
		run->error = memory_print("the stream has schema %lld, this "
			"cts-report reads %d: use agent and report of the same "
			"suite", (long long)schema, STREAM_SCHEMA);
		run->error_status = 125;
	}
	json_decref(run->hello);
	run->hello = json_incref(record);
	source_begin(run);
	/* Guests side by side find the same; of later ones the word counts. */
	if (source_has_company(run))
		return;
	json_array_clear(run->laws);
	json_array_clear(run->backends);
	run->notes.count = 0;
	run->cut_short = NULL;
}

static void take_environment(struct run *run, json_t *record)
{
	json_decref(run->environment);
	run->environment = json_incref(record);
}

static void take_law(struct run *run, json_t *record)
{
	const char *feature = text_member(record, "feature", "");
	json_t *law;
	size_t i;

	json_array_foreach(run->laws, i, law)
		if (!strcmp(text_member(law, "feature", ""), feature))
			return;
	json_array_append(run->laws, record);
}

static void take_backend(struct run *run, json_t *record)
{
	if (!run_find_backend(run, text_member(record, "role", ""),
			      text_member(record, "selector", "")))
		json_array_append(run->backends, record);
}

/* Whether its cases have the names of the job's. */
static bool is_alike(const struct job *job, const json_t *scheduled)
{
	return !strcmp(job->fault ?: "", text_member(scheduled, "fault", "")) &&
	       !strcmp(job->program, text_member(scheduled, "program", "?")) &&
	       !strcmp(job->pair->exporter,
		       text_member(scheduled, "exporter", "?")) &&
	       !strcmp(job->pair->importer,
		       text_member(scheduled, "importer", "?"));
}

static bool is_same_job(const struct job *job, const json_t *scheduled)
{
	json_t *cases = json_object_get(scheduled, "cases");
	json_t *known = json_object_get(job->scheduled, "cases");

	return (cases == known || json_equal(cases, known)) &&
	       is_alike(job, scheduled);
}

/*
 * By the job numbers of a guest with another schedule, verdicts would go to
 * wrong jobs. Its share is left for a later guest, which is told what to run.
 */
static void check_schedule(struct run *run, const json_t *jobs)
{
	json_t *scheduled;
	size_t i;

	json_array_foreach(jobs, i, scheduled) {
		const struct job *job = job_of(run, scheduled);

		if (!job || is_same_job(job, scheduled))
			continue;
		run_complain(run, "job %d is scheduled as two different ones: "
			     "what this guest runs is ignored", job->number);
		run->source->stray = true;
		return;
	}
}

/* Two jobs with cases of the same names would be one in every report. */
static bool is_new(struct run *run, const json_t *scheduled)
{
	if (job_of(run, scheduled))
		return false;
	for_list(const struct job *, job, &run->jobs) {
		if (!is_alike(job, scheduled))
			continue;
		run_complain(run, "job %lld is job %d again, and is ignored",
			     json_integer_value(json_object_get(scheduled, "job")),
			     job->number);
		return false;
	}
	return true;
}

/* Guests that share the work all have the same schedule. */
static void take_schedule(struct run *run, json_t *record)
{
	json_t *jobs = json_object_get(record, "jobs");
	json_t *scheduled;
	size_t i;

	check_schedule(run, jobs);
	if (run->source->stray)
		return;
	json_array_foreach(jobs, i, scheduled)
		if (is_new(run, scheduled))
			run_add_job(run, scheduled);
}

/* Which end a case says it may have any partner at, or NULL. */
static const char *any_partner(const json_t *planned)
{
	if (json_is_true(json_object_get(planned, "any_exporter")))
		return "exporter";
	if (json_is_true(json_object_get(planned, "any_importer")))
		return "importer";
	return NULL;
}

static void plan_case(struct job *job, const json_t *planned)
{
	struct test_case *test =
		job_add_case(job, text_member(planned, "case", "?"));
	json_t *touches = json_object_get(planned, "touches");
	json_t *clause;
	size_t i;

	if (json_is_array(touches))
		test->touches = memory_hold(touches);
	test->any = any_partner(planned);
	if (test->declared.count || test->judged)
		return;
	json_array_foreach(json_object_get(planned, "clauses"), i, clause)
		list_add(&test->declared, (char *)memory_copy(
				json_string_value(clause) ?: "?"));
}

static void take_plan(struct run *run, json_t *record)
{
	struct job *job = life_job_of(run, record);
	json_t *planned;
	size_t i;

	if (!job)
		return;
	job->planned = true;
	if (!job->inapplicable)
		job->inapplicable = memory_hold(json_object_get(record,
							"inapplicable"));
	json_array_foreach(json_object_get(record, "cases"), i, planned)
		plan_case(job, planned);
}

static struct test_case *case_of(struct run *run, const json_t *record)
{
	struct job *job = job_of(run, record);
	const char *name = text_member(record, "case", NULL);
	struct test_case *test = job && name ? job_find_case(job, name) : NULL;

	if (!test || test->judged || !test->started) {
		run_complain(run, "a %s of case %s, which is not running",
			     text_member(record, "type", "?"), name ?: "?");
		return NULL;
	}
	return test;
}

/* Only the worst check of each clause is kept. */
static void take_check(struct run *run, json_t *record)
{
	struct test_case *test = case_of(run, record);
	enum verdict verdict = verdict_find(text_member(record, "verdict",
							NULL));
	const char *clause = text_member(record, "clause", "?");

	if (!test)
		return;
	for (size_t i = 0; i < test->checks.count; i++) {
		json_t *known = test->checks.items[i];

		if (strcmp(text_member(known, "clause", ""), clause))
			continue;
		if (verdict > verdict_find(text_member(known, "verdict", NULL)))
			test->checks.items[i] = memory_hold(record);
		return;
	}
	list_add(&test->checks, memory_hold(record));
}

static void take_verdict(struct run *run, json_t *record)
{
	struct test_case *test = case_of(run, record);
	const char *word = text_member(record, "verdict", "");
	enum verdict verdict = verdict_find(word);
	const char *reason = text_member(record, "reason", "");
	struct leaf *leaf;

	if (!test)
		return;
	if (verdict == VERDICT_NONE) {
		reason = memory_print("unknown verdict \"%s\"", word);
		verdict = VERDICT_ERROR;
	}
	leaf = case_add_leaf(test, text_member(record, "clause", "?"), verdict,
			     reason);
	memory_hold(record);
	leaf->strength = text_member(record, "strength", "");
	leaf->value = text_member(record, "value", "");
	leaf->law = json_object_get(record, "law");
	leaf->subject = json_object_get(record, "subject");
	leaf->ours = json_is_true(json_object_get(leaf->subject, "ours"));
}

static void take_output(struct run *run, json_t *record)
{
	struct job *job = job_of(run, record);

	/* What is printed late is kept, and means nothing. */
	if (job && job->state != JOB_OVER)
		ksft_line(run, job, text_member(record, "text", ""));
}

static bool holds_text(const struct list *list, const char *text)
{
	for_list(const char *, known, list)
		if (!strcmp(known, text))
			return true;
	return false;
}

static void take_note(struct run *run, json_t *record)
{
	const char *text = text_member(record, "text", "?");

	if (!holds_text(&run->notes, text))
		list_add(&run->notes, (char *)memory_copy(text));
}

/* Many that were allocated at one place are one leak. */
static void take_leak(struct run *run, json_t *record)
{
	const char *text = memory_print("%lld bytes that %s allocated",
		json_integer_value(json_object_get(record, "size")),
		text_member(record, "task", "?"));
	json_t *caller;
	size_t i;

	json_array_foreach(json_object_get(record, "callers"), i, caller)
		text = memory_print("%s%s%s", text, i ? " < " : ": ",
				    json_string_value(caller) ?: "?");
	if (!holds_text(&run->leaks, text))
		list_add(&run->leaks, (char *)text);
}

static void take_error(struct run *run, json_t *record)
{
	json_int_t status = json_integer_value(json_object_get(record, "exit"));

	run->error = memory_copy(text_member(record, "text", "?"));
	run->error_status = status == 2 ? 2 : 125;
}

static void take_junk(struct run *run, json_t *record)
{
	run_complain(run, "job %lld: its program wrote a record that is none: "
		     "%.200s", json_integer_value(json_object_get(record, "job")),
		     text_member(record, "text", ""));
}

static void take_end(struct run *run, json_t *record)
{
	(void)record;
	run->source->ended = true;
}

static void ignore(struct run *run, json_t *record)
{
	(void)run;
	(void)record;
}

static const struct {
	const char *type;
	void (*take)(struct run *run, json_t *record);
} table[] = {
	{ "check", take_check },
	{ "output", take_output },
	{ "verdict", take_verdict },
	{ "case", life_case },
	{ "kernel", ignore },
	{ "heartbeat", ignore },
	{ "job", life_job },
	{ "plan", take_plan },
	{ "law", take_law },
	{ "backend", take_backend },
	{ "note", take_note },
	{ "leak", take_leak },
	{ "junk", take_junk },
	{ "hello", take_hello },
	{ "environment", take_environment },
	{ "schedule", take_schedule },
	{ "guest", life_guest },
	{ "interrupted", life_interrupted },
	{ "error", take_error },
	{ "end", take_end },
};

/* What still counts of a guest whose jobs are not those of the others. */
static bool is_about_guest(const char *type)
{
	return !strcmp(type, "hello") || !strcmp(type, "guest");
}

static void take(struct run *run, json_t *record)
{
	const char *type = text_member(record, "type", "");

	source_select(run, record);
	if (run->source->stray && !is_about_guest(type))
		return;
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		if (!strcmp(type, table[i].type)) {
			table[i].take(run, record);
			return;
		}
	}
	run_complain(run, "a record of unknown type \"%.80s\"", type);
}

json_t *intake_line(struct run *run, const char *text, size_t length,
		    bool whole)
{
	json_t *record = json_loadb(text, length, 0, NULL);

	if (json_is_object(record)) {
		take(run, record);
		return record;
	}
	json_decref(record);
	if (length)
		run_complain(run, "a line that is no record%s: %.*s",
			     whole ? "" : " (cut off)",
			     (int)(length < 100 ? length : 100), text);
	return NULL;
}

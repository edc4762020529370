// SPDX-License-Identifier: GPL-2.0-only
#include "report/results.h"

#include <string.h>

#include "report/source.h"
#include "stream/text.h"
#include "stream/version.h"

struct counting {
	struct totals totals;
	enum share share;
};

static enum share share_of(const struct leaf *leaf,
			   const struct test_case *test)
{
	if (test->job->origin)
		return SHARE_OTHERS;
	if (!leaf->subject)
		return SHARE_NOBODY;
	return leaf->ours ? SHARE_PEERS : SHARE_DRIVERS;
}

static void count_leaf(struct leaf *leaf, struct test_case *test, void *context)
{
	struct counting *counting = context;
	struct totals *totals = &counting->totals;

	if (counting->share && counting->share != share_of(leaf, test))
		return;
	totals->leaves++;
	totals->by_verdict[leaf->verdict]++;
	if (verdict_is_bad(leaf->verdict))
		totals->not_ok++;
	else if (verdict_is_skip(leaf->verdict))
		totals->skipped++;
	else
		totals->ok++;
	totals->unexpected += leaf->expected != NULL;
}

struct totals totals_of(const struct run *run, enum share share)
{
	struct counting counting = { .share = share };

	run_visit_leaves(run, count_leaf, &counting);
	return counting.totals;
}

void results_write_environment(const struct folder *folder,
			       const struct run *run)
{
	json_t *environment = json_pack("{s:O? s:O s:O}",
					"environment", run->environment,
					"law", run->laws,
					"backends", run->backends);

	json_object_del(json_object_get(environment, "environment"), "type");
	folder_write_json(folder, "environment.json", environment);
	json_decref(environment);
}

const char *results_evidence(const struct run *run, const struct leaf *leaf,
			     const struct pair *pair)
{
	const char *role = text_member(leaf->subject, "role", "");
	json_t *backend = NULL;

	if (leaf->recorded)
		return text_member(leaf->recorded, "evidence", "software");
	if (!strcmp(role, "exporter"))
		backend = run_find_backend(run, role, pair->exporter);
	else if (!strcmp(role, "importer") || !strcmp(role, "nic"))
		backend = run_find_backend(run, "importer", pair->importer);
	return text_member(backend, "evidence", "software");
}

struct rendering {
	const struct run *run;
	json_t *leaves;
};

static void add_texts(json_t *entry, const struct leaf *leaf)
{
	if (leaf->value && *leaf->value)
		json_object_set_new(entry, "value", json_string(leaf->value));
	if (leaf->reason && *leaf->reason)
		json_object_set_new(entry, "reason", json_string(leaf->reason));
	if (leaf->expected)
		json_object_set_new(entry, "expected",
				    json_string(leaf->expected));
	if (leaf->excuse)
		json_object_set_new(entry, "known", json_string(leaf->excuse));
	if (leaf->flake)
		json_object_set_new(entry, "flake", json_string(leaf->flake));
}

static void render_leaf(struct leaf *leaf, struct test_case *test,
			void *context)
{
	struct rendering *rendering = context;
	const struct job *job = test->job;
	const struct pair *pair = job->pair;
	json_int_t duration = test->ended && test->end_ns >= test->start_ns ?
			      test->end_ns - test->start_ns : 0;
	json_t *entry = json_pack(
		"{s:s s:s s:s s:s s:s s:s s:O? s:O? s:s s:s s:I s:i s:b}",
		"exporter", pair->exporter, "importer", pair->importer,
		"program", job->program, "case", test->name,
		"clause", leaf->clause, "strength", leaf->strength,
		"law", leaf->law, "subject", leaf->subject,
		"verdict", verdict_name(leaf->verdict),
		"evidence", results_evidence(rendering->run, leaf, pair),
		"duration_ns", duration, "job", job->number,
		"self_test", leaf->ours);

	/* Also a verdict on a kernel may have been reached through the suite's own. */
	if (run_is_ours(rendering->run, "importer", pair->importer))
		json_object_set_new(entry, "importer_ours", json_true());
	if (job->fault)
		json_object_set_new(entry, "fault", json_string(job->fault));
	if (job->origin)
		json_object_set_new(entry, "origin", json_string(job->origin));
	if (test->touches)
		json_object_set(entry, "touches", test->touches);
	if (test->any)
		json_object_set_new(entry, "any_partner", json_string(test->any));
	add_texts(entry, leaf);
	json_array_append_new(rendering->leaves, entry);
}

static json_t *render_totals(const struct run *run)
{
	struct totals totals = totals_of(run, SHARE_ALL);
	json_t *object = json_pack("{s:i s:i s:i s:i s:i}",
				   "leaves", totals.leaves, "ok", totals.ok,
				   "not_ok", totals.not_ok,
				   "skipped", totals.skipped,
				   "unexpected", totals.unexpected);

	for (int verdict = 1; verdict < VERDICT_COUNT; verdict++)
		json_object_set_new(object, verdict_name(verdict),
				    json_integer(totals.by_verdict[verdict]));
	return object;
}

/* What was to be run: where only some cases were chosen, which. */
static json_t *render_jobs(const struct run *run)
{
	json_t *list = json_array();

	for_list(struct job *, job, &run->jobs)
		json_array_append_new(list, json_pack(
			"{s:i s:s s:s s:s s:s* s:s* s:O*}", "job", job->number,
			"exporter", job->pair->exporter,
			"importer", job->pair->importer,
			"program", job->program, "fault", job->fault,
			"origin", job->origin,
			"cases", json_object_get(job->scheduled, "cases")));
	return list;
}

static json_t *render_inapplicable(const struct run *run)
{
	json_t *list = json_array();
	json_t *entry;
	size_t i;

	for_list(struct job *, job, &run->jobs)
		json_array_foreach(job->inapplicable, i, entry)
			json_array_append_new(list, json_pack(
				"{s:s s:s s:s s:s s:s}",
				"exporter", job->pair->exporter,
				"importer", job->pair->importer,
				"program", job->program,
				"case", text_member(entry, "case", "?"),
				"reason", text_member(entry, "reason", "")));
	return list;
}

static json_t *render_texts(const struct list *texts)
{
	json_t *list = json_array();

	for_list(const char *, text, texts)
		json_array_append_new(list, json_string(text) ?:
				      json_string("(not UTF-8)"));
	return list;
}

/* NULL if there is none. */
static json_t *render_any(const struct list *texts)
{
	return texts->count ? render_texts(texts) : NULL;
}

static json_t *render(const struct run *run, const struct list *missing,
		      bool complete)
{
	struct rendering rendering = { run, json_array() };
	const char *clauses = "clause_table";

	run_visit_leaves(run, render_leaf, &rendering);
	return json_pack("{s:i s:s s:s? s:O? s:O? s:b s:s? s:s s:O s:O s:o s:o s:o s:o s:o s:O s:o s:o s:o* s:o*}",
		"schema", STREAM_SCHEMA,
		"suite", text_member(run->hello, "suite", "?"),
		"mode", text_member(run->hello, "mode", NULL),
		clauses, json_object_get(run->environment, clauses),
		"kernel", json_object_get(run->environment, "kernel"),
		"complete", complete,
		"cut_short", complete && source_all_ended(run) ? NULL : run->cut_short,
		"environment", "environment.json",
		"law", run->laws,
		"backends", run->backends,
		"jobs", render_jobs(run),
		"totals", render_totals(run),
		"leaves", rendering.leaves,
		"missing", render_texts(missing),
		"inapplicable", render_inapplicable(run),
		"guests", run->guests,
		"notes", render_texts(&run->notes),
		"complaints", render_texts(&run->complaints),
		"leaks", render_any(&run->leaks),
		"known_leaks", render_any(&run->known_leaks));
}

void results_write(const struct folder *folder, const struct run *run,
		   const struct list *missing, bool complete)
{
	json_t *results;

	if (!folder->path)
		return;
	results = render(run, missing, complete);
	folder_write_json(folder, "run.json", results);
	json_decref(results);
}

// SPDX-License-Identifier: GPL-2.0-only
#include "agent/schedule.h"

#include <stdio.h>
#include <string.h>

#include "agent/choice.h"
#include "agent/emit.h"
#include "agent/others.h"
#include "agent/plans.h"
#include "agent/programs.h"
#include "stream/mutant.h"
#include "stream/plan.h"
#include "stream/text.h"

/* So many cases a program of others may have, before it is asked. */
#define SIZE_OF_OTHERS	10

/* What a schedule is made of, and the jobs made so far. */
struct making {
	const struct options *options;
	json_t *exporters;	/* backends chosen */
	json_t *importers;
	json_t *programs;	/* names */
	json_t *others;		/* programs of others, see others.h */
	const struct mutant_list *mutants;	/* NULL without faults */
	json_t *plans;		/* see plans.h */
	struct plan_scope scope;
	json_t *jobs;
};

/* Some back ends cannot import what they exported themselves. */
static bool can_pair(const json_t *exporter, const json_t *importer)
{
	if (!json_is_false(json_object_get(importer, "pairs_with_own")))
		return true;
	return strcmp(text_member(exporter, "selector", ""),
		      text_member(importer, "selector", ""));
}

static json_t *words_as_json(const struct words *words)
{
	json_t *list = json_array();

	for (size_t i = 0; i < words->count; i++)
		json_array_append_new(list, json_string(words->words[i]));
	return list;
}

/*
 * @cases: names of those to run, NULL for all; its reference is taken.
 * @size: how many there may be, for who shares the work
 */
static json_t *add_job(struct making *making, const char *exporter,
		       const char *importer, const char *program,
		       const char *fault, json_t *cases, size_t size)
{
	size_t number = json_array_size(making->jobs) + 1;
	json_t *job = json_pack("{s:I s:s s:s s:s s:s?}",
				"job", (json_int_t)number,
				"exporter", exporter, "importer", importer,
				"program", program, "fault", fault);

	if (making->options->cases.count) {
		json_decref(cases);
		cases = words_as_json(&making->options->cases);
	}
	if (cases)
		json_object_set_new(job, "cases", cases);
	json_object_set_new(job, "size", json_integer(size));
	json_array_append_new(making->jobs, job);
	return job;
}

/*
 * Unless it names its pairs, a mutant is tried on pairs of peers; all are, if all
 * is wanted, besides those that they name.
 */
static bool is_tried(const struct making *making, const struct mutant *mutant,
		     int peers, const char *exporter, const char *importer,
		     const char *program)
{
	if (making->options->full && peers == 2)
		return true;
	return (mutant->pairs.count || peers == 2) &&
	       mutant_applies(mutant, exporter, importer, program);
}

/* Without a fault on: what all of its mutants are compared with. */
static bool is_wanted(const struct making *making, int peers,
		      const char *exporter, const char *importer,
		      const char *program)
{
	if (!making->mutants)
		return true;
	for (size_t i = 0; i < making->mutants->count; i++)
		if (is_tried(making, &making->mutants->mutants[i], peers,
			     exporter, importer, program))
			return true;
	return false;
}

/*
 * Only checks that cite a mutant's clause can catch it; the others are run if all
 * is wanted, to see which of them fail as well. Without one, peers are not tested
 * again and again. NULL: all cases.
 */
static json_t *cases_of(struct making *making, const json_t *exporter,
			const json_t *importer, int peers, const char *program,
			const struct mutant *mutant)
{
	if (mutant && !making->options->full)
		return plans_cases_of(making->plans, program, mutant);
	if (!peers || making->mutants || making->options->full ||
	    making->options->cases.count)
		return NULL;
	return plan_fresh(&making->scope, program, exporter, importer);
}

static void add_pair(struct making *making, const json_t *exporter,
		     const json_t *importer, int peers,
		     const struct mutant *mutant)
{
	const char *from = text_member(exporter, "selector", "");
	const char *to = text_member(importer, "selector", "");
	json_t *entry;
	size_t i;

	json_array_foreach(making->programs, i, entry) {
		const char *program = json_string_value(entry);
		bool chosen = mutant ?
			is_tried(making, mutant, peers, from, to, program) :
			is_wanted(making, peers, from, to, program);
		json_t *cases;
		size_t size;

		/* The second question is the dear one. */
		if (!chosen || !plan_fits(making->plans, program, exporter,
					  importer, &size))
			continue;
		cases = cases_of(making, exporter, importer, peers, program,
				 mutant);
		if (cases && !json_array_size(cases))
			json_decref(cases);
		else
			add_job(making, from, to, program,
				mutant ? mutant->fault : NULL, cases,
				cases ? json_array_size(cases) : size);
	}
}

static void add_pairs(struct making *making, int peers,
		      const struct mutant *mutant)
{
	json_t *exporter, *importer;
	size_t i, j;

	json_array_foreach(making->exporters, i, exporter)
		json_array_foreach(making->importers, j, importer)
			if (plan_is_ours(exporter) + plan_is_ours(importer) == peers &&
			    can_pair(exporter, importer))
				add_pair(making, exporter, importer, peers,
					 mutant);
}

static void add_all(struct making *making, const struct mutant *mutant)
{
	for (int peers = 2; peers >= 0; peers--)
		add_pairs(making, peers, mutant);
}

/* They find their devices themselves, and so are on no pair of ours. */
static void add_others(struct making *making)
{
	json_t *other;
	size_t i;

	json_array_foreach(making->others, i, other) {
		const char *origin = text_member(other, "origin", "");
		json_t *job = add_job(making, origin, origin,
				      text_member(other, "program", ""), NULL,
				      NULL, SIZE_OF_OTHERS);

		json_object_set_new(job, "origin", json_string(origin));
	}
}

static void add_mutants(struct making *making)
{
	add_all(making, NULL);
	for (size_t i = 0; i < making->mutants->count; i++)
		add_all(making, &making->mutants->mutants[i]);
}

/* cts-report lists it as not run; why, only this program knows. */
static void note_idle_mutants(const struct making *making)
{
	for (size_t i = 0; i < making->mutants->count; i++) {
		const struct mutant *mutant = &making->mutants->mutants[i];
		bool found = false;
		json_t *job;
		size_t j;

		json_array_foreach(making->jobs, j, job)
			found |= !strcmp(text_member(job, "fault", ""),
					 mutant->fault);
		if (!found)
			emit_note("mutant %s: none of its pairs and programs "
				  "is available here, or no test cites its "
				  "clauses", mutant->name);
	}
}

static int make(struct making *making)
{
	const struct options *options = making->options;
	struct mutant_list mutants;
	int status = 0;

	making->jobs = json_array();
	if (!options->faults) {
		add_all(making, NULL);
		add_others(making);
		return 0;
	}
	making->mutants = &mutants;
	if (mutant_list_load(&mutants, options->faults)) {
		add_mutants(making);
		note_idle_mutants(making);
	} else {
		emit_error(EXIT_USAGE, "%s: not a list of mutants",
			   options->faults);
		status = EXIT_USAGE;
	}
	mutant_list_release(&mutants);
	return status;
}

static int complain_nothing(const struct making *making)
{
	if (!json_array_size(making->exporters))
		emit_error(EXIT_NOT_JUDGED, "nothing to run: no exporter is "
			   "available (cts-agent --list says why)");
	else if (!json_array_size(making->importers))
		emit_error(EXIT_NOT_JUDGED, "nothing to run: no importer is "
			   "available (cts-agent --list says why)");
	else
		emit_error(EXIT_NOT_JUDGED, "nothing to run: no pair can be "
			   "made of these exporters and importers");
	return EXIT_NOT_JUDGED;
}

int schedule_make(json_t **jobs, const struct options *options,
		  const struct probe *probe)
{
	struct making making = { .options = options };
	int status;

	status = choose_backends(&making.exporters, probe->exporters,
				 &options->exporters, "exporter");
	if (!status)
		status = choose_backends(&making.importers, probe->importers,
					 &options->importers, "importer");
	if (!status)
		status = others_find(&making.others, options);
	if (!status)
		status = programs_find(&making.programs, making.others,
				       options);
	if (!status) {
		making.plans = plans_find(making.programs, options);
		making.scope = (struct plan_scope){
			.plans = making.plans, .importers = making.importers,
			.moves_while_mapped = strstr(probe->law,
						     "moves_while_mapped=yes"),
			.judged = json_object(),
		};
		status = make(&making);
	}
	if (!status && !json_array_size(making.jobs))
		status = complain_nothing(&making);

	json_decref(making.exporters);
	json_decref(making.importers);
	json_decref(making.programs);
	json_decref(making.others);
	json_decref(making.plans);
	json_decref(making.scope.judged);
	*jobs = making.jobs;
	return status;
}

static bool is_job(const json_t *job)
{
	return json_is_integer(json_object_get(job, "job")) &&
	       text_member(job, "exporter", NULL) &&
	       text_member(job, "importer", NULL) &&
	       text_member(job, "program", NULL);
}

int schedule_load(json_t **jobs, const char *path)
{
	json_error_t error;
	json_t *schedule = json_load_file(path, 0, &error);
	json_t *job;
	size_t i;

	*jobs = json_incref(json_object_get(schedule, "jobs"));
	json_decref(schedule);
	if (!schedule) {
		emit_error(EXIT_USAGE, "schedule %s: %s (line %d)", path,
			   error.text, error.line);
		return EXIT_USAGE;
	}
	json_array_foreach(*jobs, i, job)
		if (!is_job(job))
			break;
	if (json_array_size(*jobs) && i == json_array_size(*jobs))
		return 0;
	emit_error(EXIT_USAGE, "schedule %s: holds no jobs, or a job without "
		   "number, exporter, importer or program", path);
	return EXIT_USAGE;
}

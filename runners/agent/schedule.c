// SPDX-License-Identifier: GPL-2.0-only
#include "agent/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "agent/choice.h"
#include "agent/emit.h"
#include "agent/others.h"
#include "agent/pairs.h"
#include "agent/plans.h"
#include "agent/programs.h"
#include "stream/mutant.h"
#include "stream/plan.h"
#include "stream/text.h"

/* So many cases a program of others may have, before it is asked. */
#define SIZE_OF_OTHERS	10

/* A program of ours. */
struct program {
	const char *name;
	struct plan *plan;	/* NULL if it gave none */
	bool chosen;		/* for the pair at hand */
	const struct mutant *mutant;	/* whose the cases are, or NULL */
	json_t *cases;		/* those that can catch it, see plans_cases_of() */
};

/* What a schedule is made of, and the jobs made so far. */
struct making {
	const struct options *options;
	json_t *exporters;	/* backends chosen */
	json_t *importers;
	json_t *others;		/* programs of others, see others.h */
	json_t *plans;		/* see plans.h */
	struct plan_scope *scope;
	struct pairs pairs;
	struct program *programs;
	size_t program_count;
	const struct mutant_list *mutants;	/* NULL without faults */
	json_t *jobs;
};

static json_t *words_as_json(const struct words *words)
{
	json_t *list = json_array();

	for (size_t i = 0; i < words->count; i++)
		json_array_append_new(list, json_string(words->words[i]));
	return list;
}

/*
 * @cases: names of those to run, NULL for all; its reference is taken.
 * @size: how many there may be, by their weight, for who shares the work
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

/* Whether all mutants are tried on a pair, with all programs. */
static bool tries_all(const struct making *making, const struct pair *pair)
{
	return making->options->full && pair->peers == 2;
}

/*
 * Unless it names its pairs, a mutant is tried on pairs of peers; all are, if all
 * is wanted, besides those that they name.
 */
static bool is_tried(const struct making *making, const struct pair *pair,
		     const struct mutant *mutant)
{
	if (tries_all(making, pair))
		return true;
	return mutant->pairs.count ? mutant_has_pair(mutant, pair->name) :
				     pair->peers == 2;
}

static void choose_all(struct making *making, bool chosen)
{
	for (size_t i = 0; i < making->program_count; i++)
		making->programs[i].chosen = chosen;
}

static void choose_for_mutant(struct making *making, const struct mutant *mutant)
{
	for (size_t i = 0; i < making->program_count; i++) {
		struct program *program = &making->programs[i];

		program->chosen |= mutant_has_program(mutant, program->name);
	}
}

/* Without a fault on, all that mutants are compared with is run. */
static void choose_for_comparison(struct making *making, const struct pair *pair)
{
	const struct mutant_list *list = making->mutants;

	for (size_t i = 0; i < list->count; i++)
		if (is_tried(making, pair, &list->mutants[i]))
			choose_for_mutant(making, &list->mutants[i]);
}

/* Returns whether there is any to run. */
static bool choose_programs(struct making *making, const struct pair *pair,
			    const struct mutant *mutant)
{
	if (mutant && !is_tried(making, pair, mutant))
		return false;
	choose_all(making, !making->mutants || tries_all(making, pair));
	if (mutant)
		choose_for_mutant(making, mutant);
	else if (making->mutants)
		choose_for_comparison(making, pair);
	return true;
}

/* It is asked for on each pair of the mutant. */
static json_t *cases_of_mutant(const struct making *making,
			       struct program *program,
			       const struct mutant *mutant)
{
	if (program->mutant != mutant) {
		json_decref(program->cases);
		program->cases = plans_cases_of(making->plans, program->name,
						mutant);
		program->mutant = mutant;
	}
	return json_incref(program->cases);
}

/*
 * Only checks that cite a mutant's clause can catch it; the others are run if all
 * is wanted, to see which of them fail as well. Without one, nothing is judged that
 * was on an earlier pair. NULL: all cases.
 */
static json_t *cases_of(struct making *making, const struct pair *pair,
			struct program *program, const struct mutant *mutant)
{
	if (mutant && !making->options->full)
		return cases_of_mutant(making, program, mutant);
	if (making->mutants || making->options->full ||
	    making->options->cases.count)
		return NULL;
	return plan_fresh(program->plan, pair->ends);
}

/* Returns whether that says anything of the pair. */
static bool add_program(struct making *making, const struct pair *pair,
			struct program *program, const struct mutant *mutant)
{
	bool speaks;
	json_t *cases;
	size_t size;

	if (!plan_fits(program->plan, pair->ends, &size))
		return false;
	cases = cases_of(making, pair, program, mutant);
	if (cases && !json_array_size(cases)) {
		json_decref(cases);
		return false;
	}
	speaks = plan_speaks(program->plan, pair->ends, cases);
	add_job(making, pair->exporter, pair->importer, program->name,
		mutant ? mutant->fault : NULL, cases,
		pair->weight * (cases ? json_array_size(cases) : size));
	return speaks;
}

static json_t *job_of(const struct making *making, size_t first,
		      const char *program)
{
	for (size_t i = first; i < json_array_size(making->jobs); i++) {
		json_t *job = json_array_get(making->jobs, i);

		if (!strcmp(text_member(job, "program", ""), program))
			return job;
	}
	return NULL;
}

/* @first: job of the pair, of those that say nothing of it */
static void add_last_resort(struct making *making, const struct pair *pair,
			    size_t first)
{
	for (size_t i = 0; i < making->program_count; i++) {
		struct program *program = &making->programs[i];
		json_t *name = plan_last_resort(program->plan, pair->ends);
		json_t *job = job_of(making, first, program->name);

		if (!program->chosen || !name)
			continue;
		if (job)
			json_array_append(json_object_get(job, "cases"), name);
		else
			add_job(making, pair->exporter, pair->importer,
				program->name, NULL, json_pack("[O]", name),
				pair->weight);
		return;
	}
}

static void add_pair(struct making *making, const struct pair *pair,
		     const struct mutant *mutant)
{
	size_t first = json_array_size(making->jobs);
	bool spoken = false;

	if (!choose_programs(making, pair, mutant))
		return;
	for (size_t i = 0; i < making->program_count; i++)
		if (making->programs[i].chosen)
			spoken |= add_program(making, pair,
					      &making->programs[i], mutant);
	if (!spoken && !making->mutants && !making->options->cases.count)
		add_last_resort(making, pair, first);
	/* A slow machine takes its time over all pairs, and is not dead. */
	emit_heartbeat();
	emit_flush();
}

static void add_all(struct making *making, const struct mutant *mutant)
{
	for (size_t i = 0; i < making->pairs.count; i++)
		add_pair(making, &making->pairs.pairs[i], mutant);
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

static void add_mutant(struct making *making, const struct mutant *mutant)
{
	size_t before = json_array_size(making->jobs);

	add_all(making, mutant);
	/* cts-report lists it as not run; why, only this program knows. */
	if (json_array_size(making->jobs) == before)
		emit_note("mutant %s: none of its pairs and programs is "
			  "available here, or no test cites its clauses",
			  mutant->name);
}

static int add_mutants(struct making *making)
{
	const char *path = making->options->faults;
	struct mutant_list mutants;
	int status = 0;

	if (mutant_list_load(&mutants, path)) {
		making->mutants = &mutants;
		add_all(making, NULL);
		for (size_t i = 0; i < mutants.count; i++)
			add_mutant(making, &mutants.mutants[i]);
	} else {
		emit_error(EXIT_USAGE, "%s: not a list of mutants", path);
		status = EXIT_USAGE;
	}
	mutant_list_release(&mutants);
	return status;
}

static int add_jobs(struct making *making)
{
	making->jobs = json_array();
	if (making->options->faults)
		return add_mutants(making);
	add_all(making, NULL);
	add_others(making);
	return 0;
}

/* One entry for each program of ours; false if there is no memory. */
static bool make_programs(struct making *making, const json_t *names)
{
	json_t *name;
	size_t i;

	/* One more: of nothing, calloc() may make NULL. */
	making->programs = calloc(json_array_size(names) + 1,
				  sizeof(*making->programs));
	if (!making->programs)
		return false;
	json_array_foreach(names, i, name) {
		making->programs[i].name = json_string_value(name);
		making->programs[i].plan = plan_of(making->scope,
						   json_string_value(name));
	}
	making->program_count = i;
	return true;
}

static int make(struct making *making, const json_t *names,
		const struct probe *probe)
{
	bool moves = strstr(probe->law, "moves_while_mapped=yes");

	making->plans = plans_find(names, making->options, probe->law);
	making->scope = plan_scope_make(making->plans, making->exporters,
					making->importers, moves);
	if (making->scope && make_programs(making, names) &&
	    pairs_make(&making->pairs, making->exporters, making->importers))
		return add_jobs(making);
	emit_error(EXIT_NOT_JUDGED, "no memory to make a schedule");
	return EXIT_NOT_JUDGED;
}

static void release(struct making *making)
{
	for (size_t i = 0; i < making->program_count; i++)
		json_decref(making->programs[i].cases);
	free(making->programs);
	pairs_release(&making->pairs);
	plan_scope_release(making->scope);
	json_decref(making->plans);
	json_decref(making->exporters);
	json_decref(making->importers);
	json_decref(making->others);
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
	json_t *names = NULL;
	int status;

	status = choose_backends(&making.exporters, probe->exporters,
				 &options->exporters, "exporter");
	if (!status)
		status = choose_backends(&making.importers, probe->importers,
					 &options->importers, "importer");
	if (!status)
		status = others_find(&making.others, options);
	if (!status)
		status = programs_find(&names, making.others, options);
	if (!status)
		status = make(&making, names, probe);
	if (!status && !json_array_size(making.jobs))
		status = complain_nothing(&making);

	release(&making);
	json_decref(names);
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

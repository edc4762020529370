// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "bundle/check.h"
#include "bundle/wrong.h"
#include "stream/plan.h"
#include "stream/text.h"

/* What the run says of each test, and what it should. */
struct looking {
	const struct checked *checked;
	json_t *judged;		/* "EXPORTER,IMPORTER PROGRAM.CASE": {clause: true} */
	json_t *excused;	/* likewise: not applicable, with a reason */
	json_t *jobs;		/* "EXPORTER,IMPORTER PROGRAM": the job */
	json_t *exporters;	/* back ends of the pairs */
	json_t *importers;
	struct plan_scope *scope;	/* of these, as the agent had it */
	bool thinned;		/* not every test need be on each pair */
};

static const char *case_name(const json_t *entry)
{
	return memory_print("%s,%s %s.%s",
			    text_member(entry, "exporter", "?"),
			    text_member(entry, "importer", "?"),
			    text_member(entry, "program", "?"),
			    text_member(entry, "case", "?"));
}

static const char *job_name(const char *exporter, const char *importer,
			    const char *program)
{
	return memory_print("%s,%s %s", exporter, importer, program);
}

static void note_leaf(struct looking *looking, const json_t *leaf)
{
	const char *name = case_name(leaf);
	json_t *clauses = json_object_get(looking->judged, name);

	if (!clauses) {
		clauses = json_object();
		json_object_set_new(looking->judged, name, clauses);
	}
	json_object_set_new(clauses, text_member(leaf, "clause", "?"),
			    json_true());
}

/* Of another test suite: its back ends and tests are none of ours. */
static bool is_foreign(const json_t *job)
{
	return json_object_get(job, "origin");
}

static void note_all(struct looking *looking)
{
	const json_t *run = looking->checked->run;
	json_t *entry;
	size_t i;

	json_array_foreach(json_object_get(run, "leaves"), i, entry)
		note_leaf(looking, entry);
	json_array_foreach(json_object_get(run, "inapplicable"), i, entry)
		if (*text_member(entry, "reason", ""))
			json_object_set_new(looking->excused, case_name(entry),
					    json_true());
	json_array_foreach(json_object_get(run, "jobs"), i, entry) {
		if (is_foreign(entry))
			continue;
		json_object_set(looking->jobs,
			job_name(text_member(entry, "exporter", "?"),
				 text_member(entry, "importer", "?"),
				 text_member(entry, "program", "?")), entry);
		looking->thinned |= json_is_array(json_object_get(entry, "cases"));
	}
}

static void check_clauses(const char *name, const json_t *planned,
			  const json_t *judged)
{
	json_t *clause;
	size_t i;

	json_array_foreach(json_object_get(planned, "clauses"), i, clause)
		if (json_is_string(clause) &&
		    !json_object_get(judged, json_string_value(clause)))
			wrong("run.json: %s: no verdict on %s, which it is for",
			      name, json_string_value(clause));
}

/* One pair and one program, as its back ends have it. */
struct place {
	struct plan_pair ends;	/* among those of the pairs */
	const char *from;
	const char *to;
	const char *program;
};

static void check_case(struct looking *looking, const struct place *place,
		       const json_t *planned)
{
	const char *name = memory_print("%s,%s %s.%s", place->from, place->to,
		place->program, text_member(planned, "case", "?"));
	const json_t *judged = json_object_get(looking->judged, name);

	if (judged)
		check_clauses(name, planned, judged);
	else if (!json_object_get(looking->excused, name))
		wrong("run.json: %s: the test was left out, and no reason given",
		      name);
}

static void check_program(struct looking *looking, const struct place *place)
{
	const json_t *plans = looking->checked->plans;
	struct plan *plan = plan_of(looking->scope, place->program);
	json_t *wanted = NULL, *planned;
	size_t count, i;

	if (!plan_fits(plan, place->ends, &count))
		return;
	if (looking->thinned)
		wanted = plan_fresh(plan, place->ends);
	if (wanted)
		count = json_array_size(wanted);
	if (count && !json_object_get(looking->jobs, job_name(place->from,
			place->to, place->program))) {
		wrong("run.json: %s,%s %s: the program was not run; it has %zu tests for this pair",
		      place->from, place->to, place->program, count);
		json_decref(wanted);
		return;
	}
	json_array_foreach(json_object_get(plans, place->program), i, planned)
		if (plan_case_fits(plan, i, place->ends) &&
		    (!wanted || text_is_among(wanted, text_member(planned, "case", ""))))
			check_case(looking, place, planned);
	json_decref(wanted);
}

/* Where a back end is among those of its role; false if it is none that was found. */
static bool find_end(const struct looking *looking, const json_t *ends,
		     const char *role, const char *selector, size_t *number)
{
	const json_t *found = check_find_backend(looking->checked, role,
						 selector);

	for (*number = 0; *number < json_array_size(ends); ++*number)
		if (json_array_get(ends, *number) == found)
			return true;
	return false;
}

static void check_pair(struct looking *looking, const json_t *job)
{
	struct place place = {
		.from = text_member(job, "exporter", "?"),
		.to = text_member(job, "importer", "?"),
	};
	json_t *plan;

	if (!find_end(looking, looking->exporters, "exporter", place.from,
		      &place.ends.exporter) ||
	    !find_end(looking, looking->importers, "importer", place.to,
		      &place.ends.importer)) {
		wrong("run.json: %s,%s: one of them is none that was found",
		      place.from, place.to);
		return;
	}
	json_object_foreach((json_t *)looking->checked->plans, place.program,
			    plan)
		check_program(looking, &place);
}

static void note_end(struct looking *looking, json_t *ends, const char *role,
		     const char *selector)
{
	const json_t *found = check_find_backend(looking->checked, role,
						 selector);
	size_t number;

	if (found && !find_end(looking, ends, role, selector, &number))
		json_array_append(ends, (json_t *)found);
}

static bool moves_while_mapped(const json_t *run)
{
	bool moves = false;
	json_t *entry;
	size_t i;

	json_array_foreach(json_object_get(run, "law"), i, entry)
		if (!strcmp(text_member(entry, "feature", ""),
			    "moves_while_mapped"))
			moves = !strcmp(text_member(entry, "value", ""), "yes");
	return moves;
}

static void find_scope(struct looking *looking)
{
	const json_t *run = looking->checked->run;
	json_t *job;
	size_t i;

	json_array_foreach(json_object_get(run, "jobs"), i, job) {
		if (is_foreign(job))
			continue;
		note_end(looking, looking->exporters, "exporter",
			 text_member(job, "exporter", "?"));
		note_end(looking, looking->importers, "importer",
			 text_member(job, "importer", "?"));
	}
	looking->scope = plan_scope_make(looking->checked->plans,
					 looking->exporters, looking->importers,
					 moves_while_mapped(run));
}

/* Returns whether there is any. */
static bool check_pairs(struct looking *looking)
{
	const json_t *jobs = json_object_get(looking->checked->run, "jobs");
	json_t *pairs = json_object();
	json_t *job;
	size_t i;

	json_array_foreach(jobs, i, job) {
		const char *name = job_name(text_member(job, "exporter", "?"),
			text_member(job, "importer", "?"), "");

		if (is_foreign(job) || json_object_get(pairs, name))
			continue;
		json_object_set_new(pairs, name, json_true());
		check_pair(looking, job);
	}
	json_decref(pairs);
	return i;
}

void check_tests(const struct checked *checked)
{
	struct looking looking = {
		.checked = checked, .judged = json_object(),
		.excused = json_object(), .jobs = json_object(),
		.exporters = json_array(), .importers = json_array(),
	};

	note_all(&looking);
	find_scope(&looking);
	if (!looking.scope)
		wrong("run.json: no memory to see whether all tests were run");
	else if (!check_pairs(&looking))
		wrong("run.json: it does not say what was to be run");
	plan_scope_release(looking.scope);
	json_decref(looking.judged);
	json_decref(looking.excused);
	json_decref(looking.jobs);
	json_decref(looking.exporters);
	json_decref(looking.importers);
}

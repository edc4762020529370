// SPDX-License-Identifier: GPL-2.0-only
#include "report/mutation.h"

#include <stdio.h>
#include <string.h>

#include "report/page.h"

struct outcome {
	struct list catches;	/* "EXPORTER,IMPORTER program.case CLAUSE" */
	struct list alarms;	/* likewise, without the fault */
	size_t jobs;
};

static bool has_fault(const struct job *job, const struct mutant *mutant)
{
	return job->fault && !strcmp(job->fault, mutant->fault);
}

/* The same program on the same pair, without a fault. */
static const struct job *baseline_of(const struct job *mutated)
{
	for_list(struct job *, job, &mutated->pair->jobs)
		if (!job->fault && !strcmp(job->program, mutated->program))
			return job;
	return NULL;
}

static const struct leaf *counterpart(const struct job *baseline,
				      const struct test_case *test,
				      const struct leaf *leaf)
{
	const struct test_case *same =
		baseline ? job_find_case(baseline, test->name) : NULL;

	return same ? case_find_leaf(same, leaf->clause) : NULL;
}

static bool is_changed(const struct leaf *before, const struct leaf *after)
{
	if (before->verdict != after->verdict)
		return true;
	return after->verdict == VERDICT_VALUE &&
	       strcmp(before->value, after->value);
}

static bool is_death(enum verdict verdict)
{
	return verdict == VERDICT_CRASH || verdict == VERDICT_TIMEOUT;
}

/* A test that can no longer judge has not caught anything. */
static bool is_catch(const struct mutant *mutant, const struct leaf *before,
		     const struct leaf *after)
{
	if (is_death(after->verdict))
		return mutant->may_crash;
	if (after->verdict == VERDICT_ERROR || after->verdict == VERDICT_SKIP)
		return false;
	return mutant_has_clause(mutant, after->clause) && before &&
	       is_changed(before, after);
}

static const char *describe(const struct test_case *test,
			    const struct leaf *leaf)
{
	return memory_print("%s.%s %s on %s", test->job->program, test->name,
			    leaf->clause, test->job->pair->name);
}

static void look_at_case(struct outcome *outcome, const struct mutant *mutant,
			 const struct test_case *test)
{
	const struct job *baseline = baseline_of(test->job);

	for_list(struct leaf *, leaf, &test->leaves) {
		const struct leaf *before = counterpart(baseline, test, leaf);

		if (is_catch(mutant, before, leaf))
			list_add(&outcome->catches,
				 (char *)describe(test, leaf));
		if (before && before->expected &&
		    mutant_has_clause(mutant, leaf->clause))
			list_add(&outcome->alarms,
				 (char *)describe(test, before));
	}
}

static struct outcome outcome_of(const struct run *run,
				 const struct mutant *mutant)
{
	struct outcome outcome = { 0 };

	for_list(struct job *, job, &run->jobs) {
		if (!has_fault(job, mutant))
			continue;
		outcome.jobs++;
		for_list(struct test_case *, test, &job->cases)
			if (test->judged)
				look_at_case(&outcome, mutant, test);
	}
	return outcome;
}

static bool is_over(const struct run *run, const struct mutant *mutant)
{
	bool any = false;

	for_list(struct job *, job, &run->jobs) {
		if (!has_fault(job, mutant))
			continue;
		if (job->state != JOB_OVER)
			return false;
		any = true;
	}
	return any;
}

void mutation_advance(struct mutation *mutation, const struct run *run)
{
	while (mutation->told < mutation->mutants.count) {
		const struct mutant *mutant =
			&mutation->mutants.mutants[mutation->told];

		if (!is_over(run, mutant))
			return;
		mutation->told++;
		printf("# %zu of %zu: %s %s\n", mutation->told,
		       mutation->mutants.count, mutant->fault,
		       outcome_of(run, mutant).catches.count ? "caught" :
		       "NOT CAUGHT");
		fflush(stdout);
	}
}

static const char *clauses_of(const struct mutant *mutant)
{
	const char *text = "";

	for (size_t i = 0; i < mutant->clauses.count; i++)
		text = memory_print("%s%s%s", text, i ? " " : "",
				    mutant->clauses.words[i]);
	return text;
}

static const char *describe_outcome(const struct mutant *mutant,
				    const struct outcome *outcome)
{
	const char *first = outcome->catches.count ? outcome->catches.items[0] :
			    outcome->jobs ? "NOT CAUGHT" : "NOT RUN";
	size_t more = outcome->catches.count ? outcome->catches.count - 1 : 0;

	return memory_print("%-16s %-28s %s%s, %zu\n", clauses_of(mutant),
			    mutant->name, first,
			    more ? memory_print(" (+%zu)", more) : "",
			    outcome->alarms.count);
}

static json_t *render(const struct mutant *mutant,
		      const struct outcome *outcome)
{
	json_t *catches = json_array();
	json_t *alarms = json_array();

	for_list(const char *, text, &outcome->catches)
		json_array_append_new(catches, json_string(text));
	for_list(const char *, text, &outcome->alarms)
		json_array_append_new(alarms, json_string(text));
	return json_pack("{s:s s:s s:s s:i s:o s:o}", "mutant", mutant->name,
			 "module", mutant->module, "clauses",
			 clauses_of(mutant), "jobs", (int)outcome->jobs,
			 "caught_by", catches, "false_alarms", alarms);
}

/* Every finding without a fault is a false alarm, of whatever clause. */
static void collect_alarm(struct leaf *leaf, struct test_case *test,
			  void *context)
{
	struct list *alarms = context;

	if (!test->job->fault && leaf->expected)
		list_add(alarms, (char *)memory_print("%s: %s %s",
			 describe(test, leaf), verdict_name(leaf->verdict),
			 leaf->reason ?: ""));
}

/* The table goes to the screen and to mutants.txt. */
static void tell(struct outfile *file, enum tint tint, const char *text)
{
	page_print(tint, "%s", text);
	outfile_write(file, text, strlen(text));
}

static size_t tell_mutants(const struct mutation *mutation,
			   const struct run *run, struct outfile *file,
			   json_t *rendered)
{
	size_t caught = 0;

	tell(file, TINT_TITLE, memory_print("%-16s %-28s %s\n", "clause",
					    "mutant", "caught by, false alarms"));
	for (size_t i = 0; i < mutation->mutants.count; i++) {
		const struct mutant *mutant = &mutation->mutants.mutants[i];
		struct outcome outcome = outcome_of(run, mutant);
		bool good = outcome.catches.count;

		caught += good;
		tell(file, good ? TINT_NONE : TINT_BAD,
		     describe_outcome(mutant, &outcome));
		json_array_append_new(rendered, render(mutant, &outcome));
	}
	return caught;
}

bool mutation_report(const struct mutation *mutation, const struct run *run,
		     const struct folder *folder)
{
	struct outfile file = { .fd = -1 };
	json_t *rendered = json_array();
	struct list alarms = { 0 };
	size_t caught;

	if (folder->path)
		outfile_open(&file, memory_print("%s/mutants.txt",
						 folder->path), true);
	caught = tell_mutants(mutation, run, &file, rendered);
	run_visit_leaves(run, collect_alarm, &alarms);
	for_list(const char *, text, &alarms)
		tell(&file, TINT_BAD, memory_print("false alarm: %s\n", text));
	tell(&file, TINT_NONE, memory_print(
	     "%zu mutants, %zu caught, %zu not caught, %zu false alarms\n",
	     mutation->mutants.count, caught,
	     mutation->mutants.count - caught, alarms.count));
	outfile_close(&file);
	folder_write_json(folder, "mutants.json", rendered);
	json_decref(rendered);
	return caught == mutation->mutants.count && !alarms.count;
}

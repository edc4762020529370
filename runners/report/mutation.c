// SPDX-License-Identifier: GPL-2.0-only
#include "report/mutation.h"

#include <stdio.h>
#include <string.h>

#include "report/page.h"

struct outcome {
	struct list findings;	/* "program.case CLAUSE on EXPORTER,IMPORTER" */
	struct list changes;	/* likewise: what is no finding, but another value */
	struct list alarms;	/* likewise, without the fault */
	struct list strays;	/* likewise: findings by checks of other clauses */
	bool noticed[MUTANT_ITEMS];	/* by a check of this clause */
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
	if (!mutant_has_clause(mutant, after->clause))
		return false;
	if (is_death(after->verdict))
		return mutant->may_crash;
	if (after->verdict == VERDICT_ERROR || after->verdict == VERDICT_SKIP)
		return false;
	return before && is_changed(before, after);
}

static const char *describe(const struct test_case *test,
			    const struct leaf *leaf)
{
	return memory_print("%s.%s %s on %s", test->job->program, test->name,
			    leaf->clause, test->job->pair->name);
}

static void note_catch(struct outcome *outcome, const struct mutant *mutant,
		       const struct test_case *test, const struct leaf *leaf)
{
	list_add(leaf->verdict == VERDICT_VALUE ? &outcome->changes :
		 &outcome->findings, (char *)describe(test, leaf));
	for (size_t i = 0; i < mutant->clauses.count; i++)
		outcome->noticed[i] |= clause_covers(mutant->clauses.words[i],
						 leaf->clause);
}

/* Something else failed, which points whoever reads it to the wrong clause. */
static bool is_stray(const struct mutant *mutant, const struct leaf *before,
		     const struct leaf *after)
{
	return !mutant_has_clause(mutant, after->clause) &&
	       before && before->verdict != after->verdict &&
	       (after->verdict == VERDICT_FAIL || is_death(after->verdict));
}

static void look_at_case(struct outcome *outcome, const struct mutant *mutant,
			 const struct test_case *test)
{
	const struct job *baseline = baseline_of(test->job);

	for_list(struct leaf *, leaf, &test->leaves) {
		const struct leaf *before = counterpart(baseline, test, leaf);

		if (is_catch(mutant, before, leaf))
			note_catch(outcome, mutant, test, leaf);
		if (is_stray(mutant, before, leaf))
			list_add(&outcome->strays, (char *)describe(test, leaf));
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

static size_t catches(const struct outcome *outcome)
{
	return outcome->findings.count + outcome->changes.count;
}

/* The first clause that no check noticed, NULL if there is none. */
static const char *missed_clause(const struct mutant *mutant,
				 const struct outcome *outcome)
{
	for (size_t i = 0; i < mutant->clauses.count; i++)
		if (!outcome->noticed[i])
			return mutant->clauses.words[i];
	return NULL;
}

/* What caught it; a finding says more than a change does. */
static const char *fate(const struct mutant *mutant,
			const struct outcome *outcome)
{
	const struct list *list = outcome->findings.count ?
				  &outcome->findings : &outcome->changes;
	const char *missed = missed_clause(mutant, outcome);
	const char *more = "";

	if (!list->count)
		return outcome->jobs ? "NOT CAUGHT" : "NOT RUN";
	if (catches(outcome) > 1)
		more = memory_print(" (+%zu)", catches(outcome) - 1);
	return memory_print("%s%s%s%s", missed ? "NOT CAUGHT by " : "",
			    missed ?: "", missed ? ", but by " : "",
			    memory_print("%s%s", (char *)list->items[0], more));
}

/* Guests side by side may come to a mutant before what it is compared with. */
static bool can_be_compared(const struct job *job)
{
	const struct job *baseline = baseline_of(job);

	return job->state == JOB_OVER &&
	       (!baseline || baseline->state == JOB_OVER);
}

static bool is_over(const struct run *run, const struct mutant *mutant)
{
	bool any = false;

	for_list(struct job *, job, &run->jobs) {
		if (!has_fault(job, mutant))
			continue;
		if (!can_be_compared(job))
			return false;
		any = true;
	}
	return any;
}

static bool is_caught(const struct run *run, const struct mutant *mutant)
{
	struct outcome outcome = outcome_of(run, mutant);

	return !missed_clause(mutant, &outcome);
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
		       is_caught(run, mutant) ? "caught" : "NOT CAUGHT");
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

/* A cell of the table. */
static const char *clauses_in_short(const struct mutant *mutant)
{
	const struct mutant_words *clauses = &mutant->clauses;

	return clauses->count == 1 ? clauses->words[0] :
	       memory_print("%s +%zu", clauses->words[0], clauses->count - 1);
}

static const char *describe_outcome(const struct mutant *mutant,
				    const struct outcome *outcome)
{
	return memory_print("%-13s %-29s %s, %zu\n", clauses_in_short(mutant),
			    mutant->name, fate(mutant, outcome),
			    outcome->alarms.count);
}

static void add_texts(json_t *texts, const struct list *list)
{
	for_list(const char *, text, list)
		json_array_append_new(texts, json_string(text));
}

static json_t *render(const struct mutant *mutant,
		      const struct outcome *outcome)
{
	json_t *caught_by = json_array();
	json_t *alarms = json_array();
	json_t *strays = json_array();

	add_texts(caught_by, &outcome->findings);
	add_texts(caught_by, &outcome->changes);
	add_texts(alarms, &outcome->alarms);
	add_texts(strays, &outcome->strays);
	return json_pack("{s:s s:s s:s s:b s:i s:o s:o s:o}", "mutant",
			 mutant->name, "module", mutant->module, "clauses",
			 clauses_of(mutant), "timing", mutant->timing, "jobs",
			 (int)outcome->jobs, "caught_by", caught_by,
			 "false_alarms", alarms, "strays", strays);
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

/* Where the judgement goes, besides the screen. */
struct telling {
	struct outfile table;	/* mutants.txt */
	struct outfile tap;	/* mutants.tap: a line for each mutant */
	json_t *rendered;	/* mutants.json */
	size_t caught;
};

static void open_files(struct telling *telling, const struct folder *folder)
{
	telling->table.fd = -1;
	telling->tap.fd = -1;
	telling->rendered = json_array();
	if (!folder->path)
		return;
	outfile_open(&telling->table,
		     memory_print("%s/mutants.txt", folder->path), true);
	outfile_open(&telling->tap,
		     memory_print("%s/mutants.tap", folder->path), true);
}

static void close_files(struct telling *telling, const struct folder *folder)
{
	outfile_close(&telling->table);
	outfile_close(&telling->tap);
	folder_write_json(folder, "mutants.json", telling->rendered);
	json_decref(telling->rendered);
}

static void tell(struct telling *telling, enum tint tint, const char *text)
{
	page_print(tint, "%s", text);
	outfile_write(&telling->table, text, strlen(text));
}

static void tell_mutant(struct telling *telling, const struct mutant *mutant,
			const struct outcome *outcome, size_t number)
{
	bool caught = !missed_clause(mutant, outcome);

	telling->caught += caught;
	tell(telling, caught ? TINT_NONE : TINT_BAD,
	     describe_outcome(mutant, outcome));
	outfile_print(&telling->tap, "%s %zu - %s breaks %s: %s\n",
		      caught ? "ok" : "not ok", number, mutant->name,
		      clauses_of(mutant), fate(mutant, outcome));
	json_array_append_new(telling->rendered, render(mutant, outcome));
}

static void tell_mutants(struct telling *telling,
			 const struct mutation *mutation, const struct run *run)
{
	tell(telling, TINT_TITLE, memory_print("%-13s %-29s %s\n", "clause",
					       "mutant",
					       "caught by, false alarms"));
	for (size_t i = 0; i < mutation->mutants.count; i++) {
		const struct mutant *mutant = &mutation->mutants.mutants[i];
		struct outcome outcome = outcome_of(run, mutant);

		tell_mutant(telling, mutant, &outcome, i + 1);
	}
}

/* The last line of the TAP: the same tests without any mutant. */
static void tell_alarms(struct telling *telling, const struct list *alarms,
			size_t number)
{
	for_list(const char *, text, alarms) {
		const char *line = memory_print("false alarm: %s\n", text);

		tell(telling, TINT_BAD, line);
		outfile_print(&telling->tap, "# %s", line);
	}
	outfile_print(&telling->tap, "%s %zu - nothing fails without a mutant\n",
		      alarms->count ? "not ok" : "ok", number);
}

bool mutation_report(const struct mutation *mutation, const struct run *run,
		     const struct folder *folder)
{
	size_t count = mutation->mutants.count;
	struct telling telling = { 0 };
	struct list alarms = { 0 };

	open_files(&telling, folder);
	outfile_print(&telling.tap, "1..%zu\n", count + 1);
	tell_mutants(&telling, mutation, run);
	run_visit_leaves(run, collect_alarm, &alarms);
	tell_alarms(&telling, &alarms, count + 1);
	tell(&telling, TINT_NONE, memory_print(
	     "%zu mutants, %zu caught, %zu not caught, %zu false alarms\n",
	     count, telling.caught, count - telling.caught, alarms.count));
	close_files(&telling, folder);
	return telling.caught == count && !alarms.count;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "report/diff.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "report/compare.h"
#include "report/group.h"
#include "report/load.h"
#include "report/options.h"
#include "report/page.h"
#include "report/partner.h"
#include "stream/command_line.h"
#include "stream/text.h"

/* Lines of each part without --all. */
#define LINES_SHOWN	20

static const char help[] =
"Usage: cts-report diff [OPTION]... BEFORE AFTER\n"
"Say what became of the verdicts of one run in another, regressions first. Each\n"
"run is a result folder or a run.json.\n"
"\n"
"  --common         only pairs and cases that both runs were to run\n"
"  --allow-passes   that a failure is gone is not unexpected\n"
"  --all            a line for each verdict, and whole lines\n"
"  --help           show this text\n"
"\n"
"Exit status: 0 nothing unexpected; 1 something is worse, missing, of another\n"
"value or passes unexpectedly; 2 usage; 125 a run cannot be read, or the second\n"
"one is incomplete.\n";

/* One of the two runs. */
struct side {
	struct loaded loaded;
	json_t *partners;	/* what it judged with any partner */
};

struct diff {
	struct side before, after;
	struct leaf_index index;	/* of the run before */
	json_t *inapplicable;	/* after: reason by pair and case */
	struct list lines[CHANGE_COUNT];	/* of struct group */
	size_t counts[CHANGE_COUNT];	/* of leaves */
	bool common;
	bool allow_passes;
	bool all;
};

static const char *const titles[CHANGE_COUNT] = {
	[CHANGE_WORSE] = "Worse",
	[CHANGE_MISSING] = "Missing",
	[CHANGE_VALUE] = "Other values",
	[CHANGE_PASS] = "Unexpected passes",
	[CHANGE_FLAKE] = "Flakes",
	[CHANGE_OTHER] = "Other changes",
	[CHANGE_NEW] = "New",
};

static void add_line(struct diff *diff, enum change change,
		     const struct pair *pair, const char *what, const char *why)
{
	group_add(&diff->lines[change], what, pair, why, !diff->all);
}

static bool was_to_run(const struct side *side, const struct test_case *test)
{
	const struct run *run = &side->loaded.run;

	return run_has_pair(run, test->job->pair->name) &&
	       !run_left_out(run, test);
}

/* Whether a side judged a leaf of the other one with another partner. */
static bool judged_else(const struct side *side, const struct side *other,
			const struct leaf *leaf, const struct test_case *test)
{
	return !run_scheduled(&side->loaded.run, test) &&
	       partners_judged(side->partners, &other->loaded.run, leaf, test);
}

static const char *what_it_was(const struct leaf *before)
{
	if (!before)
		return "was not there";
	if (before->verdict == VERDICT_VALUE)
		return memory_print("was value %s", before->value);
	return memory_print("was %s", verdict_name(before->verdict));
}

static void compare_leaf(struct leaf *leaf, struct test_case *test,
			 void *context)
{
	struct diff *diff = context;
	struct named_leaf *old = leaf_index_find(&diff->index,
						 load_leaf_name(leaf, test));
	const struct leaf *before = old ? old->leaf : NULL;
	enum change change = compare_leaves(before, leaf);

	if (old)
		old->met = true;
	if (change == CHANGE_NONE ||
	    (diff->common && !before &&
	     (!was_to_run(&diff->before, test) ||
	      judged_else(&diff->before, &diff->after, leaf, test))))
		return;
	diff->counts[change]++;
	add_line(diff, change, test->job->pair,
		 memory_print("%-7s %-8s %s (%s)", verdict_name(leaf->verdict),
			      leaf->clause, case_title(test),
			      what_it_was(before)),
		 leaf->verdict == VERDICT_VALUE ? leaf->value :
		 leaf->reason ?: "");
}

static const char *key_of(const char *exporter, const char *importer,
			  const char *program, const char *name)
{
	return memory_print("%s,%s %s.%s", exporter, importer, program, name);
}

/* Why cases are not there. */
static void take_inapplicable(struct diff *diff)
{
	json_t *entry;
	size_t i;

	diff->inapplicable = json_object();
	json_array_foreach(json_object_get(diff->after.loaded.json, "inapplicable"),
			   i, entry)
		json_object_set(diff->inapplicable,
				key_of(text_member(entry, "exporter", ""),
				       text_member(entry, "importer", ""),
				       text_member(entry, "program", ""),
				       text_member(entry, "case", "")),
				json_object_get(entry, "reason"));
}

static const char *why_missing(const struct diff *diff,
			       const struct test_case *test)
{
	const struct job *job = test->job;
	const char *key = key_of(job->pair->exporter, job->pair->importer,
				 job->program, test->name);
	const char *reason = text_member(diff->inapplicable, key, NULL);

	if (run_left_out(&diff->after.loaded.run, test))
		return "the case was not chosen";
	return reason ? memory_print("the case does not apply: %s", reason) :
	       "";
}

/* Not so if it was judged all the same, with another partner. */
static bool is_missing(const struct diff *diff, const struct named_leaf *old)
{
	const struct test_case *test = old->test;

	return !old->met &&
	       (!diff->common || was_to_run(&diff->after, test)) &&
	       !judged_else(&diff->after, &diff->before, old->leaf, test);
}

/* A pair that is gone is one line, however much was judged on it. */
static void add_missing(struct diff *diff, const struct named_leaf *old,
			json_t *gone)
{
	const struct pair *pair = old->test->job->pair;
	bool told = json_object_get(gone, pair->name);

	diff->counts[CHANGE_MISSING]++;
	if (run_has_pair(&diff->after.loaded.run, pair->name))
		add_line(diff, CHANGE_MISSING, pair,
			 memory_print("%-7s %-8s %s (%s)", "-",
				      old->leaf->clause, case_title(old->test),
				      what_it_was(old->leaf)),
			 why_missing(diff, old->test));
	else if (!told)
		add_line(diff, CHANGE_MISSING, pair,
			 memory_print("the pair %s was not run", pair->name),
			 "");
	json_object_set_new(gone, pair->name, json_true());
}

static void add_silenced(struct diff *diff, const struct named_leaf *old)
{
	diff->counts[CHANGE_PASS]++;
	add_line(diff, CHANGE_PASS, old->test->job->pair,
		 memory_print("%-7s %-8s %s (%s)", "gone", old->leaf->clause,
			      case_title(old->test), what_it_was(old->leaf)),
		 "");
}

static void find_missing(struct diff *diff)
{
	json_t *gone = json_object();

	for (size_t i = 0; i < diff->index.count; i++) {
		const struct named_leaf *old = &diff->index.items[i];

		if (!is_missing(diff, old))
			continue;
		if (run_silenced(&diff->after.loaded.run, old->leaf, old->test))
			add_silenced(diff, old);
		else
			add_missing(diff, old, gone);
	}
	json_decref(gone);
}

static void compare(struct diff *diff)
{
	leaf_index_build(&diff->index, &diff->before.loaded.run);
	diff->before.partners = partners_of(&diff->before.loaded.run);
	diff->after.partners = partners_of(&diff->after.loaded.run);
	take_inapplicable(diff);
	run_visit_leaves(&diff->after.loaded.run, compare_leaf, diff);
	find_missing(diff);
	json_decref(diff->inapplicable);
	json_decref(diff->before.partners);
	json_decref(diff->after.partners);
}

/* What a run that was cut short lacks may only not have been reached. */
static bool is_unexpected(const struct diff *diff, enum change change)
{
	switch (change) {
	case CHANGE_WORSE:
	case CHANGE_VALUE:
		return true;
	case CHANGE_MISSING:
		return diff->after.loaded.complete;
	case CHANGE_PASS:
		return !diff->allow_passes;
	default:
		return false;
	}
}

static size_t unexpected(const struct diff *diff)
{
	size_t count = 0;

	for (enum change change = 0; change < CHANGE_COUNT; change++)
		if (is_unexpected(diff, change))
			count += diff->counts[change];
	return count;
}

static void print_run(const char *label, const struct loaded *loaded)
{
	json_t *kernel = json_object_get(loaded->json, "kernel");

	page_print(TINT_NONE, "%-8s kernel %s %s, suite %s, %zu pairs: %s\n",
		   label, text_member(kernel, "release", "?"),
		   text_member(kernel, "arch", ""),
		   text_member(loaded->json, "suite", "?"),
		   loaded->run.pairs.count, loaded->path);
	if (!loaded->complete)
		page_print(TINT_BAD, "         it is incomplete: %s\n",
			   loaded->run.cut_short);
}

/* Verdicts may then differ because of the suite. */
static void print_suites(const struct diff *diff)
{
	static const char *const members[] = { "suite", "clause_table" };

	for (size_t i = 0; i < 2; i++)
		if (!json_equal(json_object_get(diff->before.loaded.json, members[i]),
				json_object_get(diff->after.loaded.json, members[i])))
			page_print(TINT_WEAK, "note     the runs are of two "
				   "versions of the %s\n", i ? "clause table" :
				   "suite");
}

static enum tint tint_of(const struct diff *diff, enum change change)
{
	if (change == CHANGE_PASS)
		return TINT_GOOD;
	return is_unexpected(diff, change) ? TINT_BAD : TINT_NONE;
}

static void print_changes(const struct diff *diff, enum change change)
{
	const struct list *lines = &diff->lines[change];
	size_t shown = diff->all || lines->count <= LINES_SHOWN ?
		       lines->count : LINES_SHOWN;

	if (!lines->count)
		return;
	page_print(TINT_TITLE, "%s: %zu\n", titles[change],
		   diff->counts[change]);
	for (size_t i = 0; i < shown; i++)
		page_print(tint_of(diff, change), "  %.*s\n",
			   diff->all ? -1 : PAGE_WIDTH - 2,
			   group_text(lines->items[i]));
	if (shown < lines->count)
		page_print(TINT_NONE, "  ... and %zu more (--all)\n",
			   lines->count - shown);
}

static int print(const struct diff *diff)
{
	size_t wrong = unexpected(diff);

	print_run("before", &diff->before.loaded);
	print_run("after", &diff->after.loaded);
	print_suites(diff);
	for (enum change change = CHANGE_WORSE; change < CHANGE_COUNT; change++)
		print_changes(diff, change);
	page_print(wrong ? TINT_BAD : TINT_GOOD, "%s unexpected\n",
		   wrong ? memory_print("%zu", wrong) : "nothing");
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "cts-report: cannot write to standard output\n");
		return EXIT_NOT_JUDGED;
	}
	if (wrong)
		return EXIT_UNEXPECTED;
	return diff->after.loaded.complete ? EXIT_EXPECTED : EXIT_NOT_JUDGED;
}

static const struct command_option table[] = {
	COMMAND_FLAG("common", struct diff, common),
	COMMAND_FLAG("allow-passes", struct diff, allow_passes),
	COMMAND_FLAG("all", struct diff, all),
	{ .name = NULL },
};

static const struct command_line line = { "cts-report diff", help, table, false };

static int parse(struct diff *diff, int argc, char **argv)
{
	int status = command_line_parse(&line, diff, argc, argv);

	if (status >= 0)
		return status;
	return argc - optind == 2 ? -1 :
	       command_line_refuse(&line, "wants two runs");
}

int diff_main(int argc, char **argv)
{
	struct diff diff = { 0 };
	int status = parse(&diff, argc, argv);

	if (status >= 0)
		return status;
	if (load_run(&diff.before.loaded, argv[optind]) &&
	    load_run(&diff.after.loaded, argv[optind + 1])) {
		compare(&diff);
		status = print(&diff);
	} else {
		status = EXIT_NOT_JUDGED;
	}
	load_release(&diff.before.loaded);
	load_release(&diff.after.loaded);
	return status;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "report/expected.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/expected_line.h"
#include "report/kernel_version.h"
#include "report/partner.h"
#include "stream/text.h"

static bool complain(const char *path, const char *why)
{
	fprintf(stderr, "cts-report: %s: %s\n", path, why);
	return false;
}

static bool parse_line(struct expected *expected, char *text,
		       const struct expected_line *place)
{
	struct expected_line *line;

	text += strspn(text, " \t\r\n");
	if (!*text || *text == '#')
		return true;
	line = memory_get(sizeof(*line));
	*line = *place;
	if (!expected_line_parse(line, text))
		return false;
	if (expected_line_holds(line, expected->kernel))
		list_add(&expected->lines, line);
	return true;
}

static bool load_file(struct expected *expected, struct expected_line *place)
{
	FILE *file = fopen(place->file, "re");
	char *text = NULL;
	size_t room = 0;
	bool good = true;

	if (!file)
		return complain(place->file, strerror(errno));
	while (good && getline(&text, &room, file) >= 0) {
		place->number++;
		good = parse_line(expected, text, place);
	}
	free(text);
	fclose(file);
	return good;
}

/* "EXPORTER,IMPORTER.txt" */
static bool load_pair(struct expected *expected, const char *folder,
		      const char *name)
{
	struct expected_line place = {
		.file = memory_print("%s/%s", folder, name),
	};
	char *exporter = (char *)memory_copy(name);
	char *importer = strchr(exporter, ',');

	if (!importer)
		return complain(place.file, "is not named EXPORTER,IMPORTER.txt");
	*importer++ = '\0';
	*strrchr(importer, '.') = '\0';
	place.exporter = exporter;
	place.importer = importer;
	return load_file(expected, &place);
}

static int is_text(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return dot && dot != entry->d_name && !strcmp(dot, ".txt");
}

static bool load_folder(struct expected *expected, const char *path)
{
	struct dirent **entries;
	int count = scandir(path, &entries, is_text, alphasort);
	bool good = true;

	if (count < 0)
		return complain(path, strerror(errno));
	for (int i = 0; i < count; i++) {
		good = good && load_pair(expected, path, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return good;
}

/* That there is no folder for a series is no error: nothing is known then. */
static bool load_series(struct expected *expected, const char *folder,
			const char *series, const char **absent)
{
	const char *path = memory_print("%s/%s", folder, series);

	if (!access(path, F_OK) || errno != ENOENT)
		return load_folder(expected, path);
	*absent = path;
	return true;
}

bool expected_load(struct expected *expected, const char *folder,
		   const json_t *kernel)
{
	const char *none;
	DIR *test;

	if (!folder)
		return true;
	test = opendir(folder);
	if (!test)
		return complain(folder, strerror(errno));
	closedir(test);
	expected->kernel = kernel_version_text(kernel);
	return load_series(expected, folder, "any", &none) &&
	       load_series(expected, folder,
			   text_member(kernel, "series", "unknown"),
			   &expected->absent);
}

bool expected_load_baseline(struct expected *expected, const char *path)
{
	if (!path)
		return true;
	if (!load_run(&expected->baseline, path))
		return false;
	leaf_index_build(&expected->before, &expected->baseline.run);
	return true;
}

/* What a leaf was in the baseline, if it must not have become what it is. */
static const char *change_from_baseline(const struct expected *expected,
					const struct leaf *leaf,
					const struct test_case *test)
{
	struct named_leaf *old = leaf_index_find(&expected->before,
						 load_leaf_name(leaf, test));

	if (!old)
		return NULL;
	old->met = true;
	switch (compare_leaves(old->leaf, leaf)) {
	case CHANGE_WORSE:
		return verdict_name(old->leaf->verdict);
	case CHANGE_VALUE:
		return memory_print("value %s", old->leaf->value);
	default:
		return NULL;
	}
}

static bool needs_excuse(const struct expected *expected, enum verdict verdict)
{
	return verdict_is_bad(verdict) ||
	       (expected->gate && verdict_is_skip(verdict));
}

struct finding {
	struct expected_line *allowing;
	struct expected_line *forbidding;
};

static struct finding find_lines(struct expected *expected,
				 const struct leaf *leaf,
				 const struct pair *pair, const char *title)
{
	struct finding finding = { 0 };

	for_list(struct expected_line *, line, &expected->lines) {
		if (!expected_line_matches(line, pair, title, leaf->clause))
			continue;
		if (expected_line_allows(line, leaf)) {
			line->met = true;
			finding.allowing = line;
		} else if (line->strict) {
			line->contradicted = true;
			finding.forbidding = line;
		}
	}
	return finding;
}

static void excuse(struct leaf *leaf, const struct expected_line *line)
{
	leaf->excuse = line->reason;
	if (expected_line_is_flake(line))
		leaf->flake = expected_line_rate(line);
}

static const char *result_of(const struct expected_line *line)
{
	const char *text = line->value ?: expected_line_said(line);

	return text ? memory_print("%s %s", line->verdicts, text) :
	       line->verdicts;
}

static void compare_leaf(struct leaf *leaf, struct test_case *test,
			 void *context)
{
	const struct job *job = test->job;
	const struct pair *pair = job->pair;
	struct expected *expected = context;
	const char *title = memory_print("%s.%s", job->program, test->name);
	const char *change = change_from_baseline(expected, leaf, test);
	struct finding finding = find_lines(expected, leaf, pair, title);

	if (finding.allowing)
		excuse(leaf, finding.allowing);
	else if (finding.forbidding)
		leaf->expected = result_of(finding.forbidding);
	else if (change)
		leaf->expected = change;
	else if (needs_excuse(expected, leaf->verdict))
		leaf->expected = "pass";
}

/* Whether a line speaks of cases of this program: so says its title up to the dot. */
static bool is_of_program(const struct expected_line *line,
			  const char *program)
{
	int length = (int)strcspn(line->title, ".");

	return !fnmatch(memory_print("%.*s", length, line->title), program, 0);
}

/* Where the schedule chose cases, whether the line is about one of them. */
static bool was_chosen(const struct expected_line *line, const struct job *job)
{
	json_t *chosen = json_object_get(job->scheduled, "cases");
	json_t *name;
	size_t i;

	if (!chosen)
		return true;
	json_array_foreach(chosen, i, name)
		if (expected_line_is_of_case(line, memory_print("%s.%s",
				job->program, json_string_value(name))))
			return true;
	return false;
}

static bool was_run_on(const struct pair *pair, const struct expected_line *line)
{
	for_list(struct job *, job, &pair->jobs)
		if (is_of_program(line, job->program) && was_chosen(line, job))
			return true;
	return false;
}

/* Whether what a line speaks of was run at all. */
static bool was_run(const struct run *run, const struct expected_line *line)
{
	for_list(struct pair *, pair, &run->pairs)
		if (expected_line_is_about(line, pair) &&
		    was_run_on(pair, line))
			return true;
	return false;
}

static bool has_peer(const struct run *run, const struct pair *pair)
{
	return run_is_ours(run, "exporter", pair->exporter) ||
	       run_is_ours(run, "importer", pair->importer);
}

static bool allows_only_skip(const struct expected_line *line)
{
	for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
		if (line->allows[verdict] != (verdict == VERDICT_SKIP))
			return false;
	return true;
}

/*
 * A skip may be of a partner with whom this run had no need of the case: by default
 * one that the exporter does not decline is preferred.
 */
static bool may_be_of_another_pair(const struct run *run,
				   const struct expected_line *line)
{
	if (line->strict || !allows_only_skip(line))
		return false;
	for_list(struct pair *, pair, &run->pairs)
		if (has_peer(run, pair) && expected_line_is_about(line, pair) &&
		    !was_run_on(pair, line))
			return true;
	return false;
}

/* What the kernel's log has depends on what that kernel was built to look after. */
static bool may_be_unseen(const struct expected_line *line)
{
	return !line->strict && !strcmp(line->clause, CLAUSE_KERNEL_LOG);
}

static void judge_line(struct expected *expected, const struct run *run,
		       struct expected_line *line)
{
	if (line->met || may_be_unseen(line) || !was_run(run, line) ||
	    may_be_of_another_pair(run, line))
		return;
	line->unmet = true;
	if (line->strict && !line->contradicted)
		list_add(&expected->missing, (char *)memory_print(
			 "%s,%s %s %s (%s:%d)", line->exporter, line->importer,
			 line->title, line->clause, line->file, line->number));
	else
		list_add(&expected->stale, (char *)memory_print(
			 "%s:%d: %s %s %s", line->file, line->number,
			 line->clause, line->title, line->verdicts));
}

/*
 * Not so what was not asked for here: another pair, another case, or, as
 * profiles differ, another partner.
 */
static bool is_missing(const struct expected *expected, const struct run *run,
		       const struct named_leaf *old, const json_t *partners)
{
	const struct test_case *test = old->test;

	return !old->met && run_has_pair(run, test->job->pair->name) &&
	       !run_left_out(run, test) &&
	       !run_silenced(run, old->leaf, test) &&
	       (run_scheduled(run, test) ||
		!partners_judged(partners, &expected->baseline.run,
				 old->leaf, test));
}

static void find_missing(struct expected *expected, const struct run *run)
{
	const struct leaf_index *before = &expected->before;
	json_t *partners = partners_of(run);

	for (size_t i = 0; i < before->count; i++) {
		const struct named_leaf *old = &before->items[i];

		if (is_missing(expected, run, old, partners))
			list_add(&expected->missing, (char *)memory_print(
				 "%s (in the baseline: %s)", old->name,
				 verdict_name(old->leaf->verdict)));
	}
	json_decref(partners);
}

static bool is_gone(const struct run *run, const char *role,
		    const char *selector)
{
	json_t *backend = run_find_backend(run, role, selector);

	return json_array_size(run->backends) &&
	       !json_is_true(json_object_get(backend, "available"));
}

/* That somebody wanted other pairs takes none away; that a driver is gone does. */
static void find_gone_pairs(struct expected *expected, const struct run *run)
{
	if (!expected->baseline.path)
		return;
	for_list(const struct pair *, pair, &expected->baseline.run.pairs) {
		bool exporter = is_gone(run, "exporter", pair->exporter);

		if (run_has_pair(run, pair->name) ||
		    (!exporter && !is_gone(run, "importer", pair->importer)))
			continue;
		list_add(&expected->missing, (char *)memory_print(
			 "the pair %s: %s is not there", pair->name,
			 exporter ? pair->exporter : pair->importer));
	}
}

static bool is_known_leak(const struct expected *expected, const char *leak)
{
	for_list(struct expected_line *, line, &expected->lines)
		if (expected_line_allows_leak(line, leak))
			return true;
	return false;
}

static void compare_leaks(const struct expected *expected, struct run *run)
{
	struct list leaks = run->leaks;

	run->leaks = (struct list){ 0 };
	for_list(char *, leak, &leaks)
		list_add(is_known_leak(expected, leak) ? &run->known_leaks :
			 &run->leaks, leak);
}

void expected_compare(struct expected *expected, struct run *run)
{
	run_visit_leaves(run, compare_leaf, expected);
	compare_leaks(expected, run);
	for_list(struct expected_line *, line, &expected->lines)
		judge_line(expected, run, line);
	find_missing(expected, run);
	find_gone_pairs(expected, run);
}

void expected_forget(struct expected *expected)
{
	expected->lines = (struct list){ 0 };
	expected->absent = NULL;
	expected->baseline.path = NULL;
	expected->before = (struct leaf_index){ 0 };
}

void expected_release(struct expected *expected)
{
	load_release(&expected->baseline);
}

// SPDX-License-Identifier: GPL-2.0-only
/* A page for a cover letter: plain enough to be read as it is, narrow as mail. */
#include <stdio.h>
#include <string.h>

#include "report/group.h"
#include "report/render.h"
#include "report/results.h"
#include "stream/text.h"

#define WIDTH	75

/* One line, and none of it taken for markup. */
static const char *plain(const char *text)
{
	const char *safe = "";
	const char *next;

	for (; *text; text = next + 1) {
		next = text + strcspn(text, "\\`*<|\n\t");
		safe = memory_print("%s%.*s", safe, (int)(next - text), text);
		if (!*next)
			break;
		safe = (unsigned char)*next < ' ' ?
		       memory_print("%s ", safe) :
		       memory_print("%s\\%c", safe, *next);
	}
	return safe;
}

/* Bytes of @text for one line: up to a blank, or a word that is too long. */
static size_t line_length(const char *text, size_t room)
{
	size_t length = 0;

	for (;;) {
		size_t word = strcspn(text + length, " ");

		if (length && length + word > room)
			return length;
		length += word;
		if (!text[length])
			return length;
		length++;
	}
}

/* "- " before the first line of an item, blanks before the others. */
static void put_wrapped(const char *mark, const char *text)
{
	int indent = strlen(mark);

	do {
		size_t length = line_length(text, WIDTH - indent);
		size_t shown = length;

		while (shown && text[shown - 1] == ' ')
			shown--;
		printf("%s%.*s\n", mark, (int)shown, text);
		mark = indent ? "  " : "";
		text += length;
	} while (*text);
}

static void put_title(const char *title, size_t count)
{
	printf("\n## %s: %zu\n\n", title, count);
}

static void put_head(const struct loaded *loaded)
{
	const struct run *run = &loaded->run;
	struct totals totals = totals_of(run, SHARE_ALL);
	json_t *kernel = json_object_get(loaded->json, "kernel");
	size_t wrong = totals.unexpected + loaded->missing.count + run->leaks.count;

	printf("# dma-buf conformance: %s, %s\n\n",
	       plain(text_member(kernel, "release", "?")),
	       plain(text_member(kernel, "arch", "?")));
	put_wrapped("", memory_print("%zu pair%s, %u verdicts: **%s "
		"unexpected**. dmabuf-cts %s, mode %s, IOMMU %s.",
		run->pairs.count, run->pairs.count == 1 ? "" : "s",
		totals.leaves, wrong ? memory_print("%zu", wrong) : "nothing",
		text_member(loaded->json, "suite", "?"),
		text_member(loaded->json, "mode", "?"),
		text_member(json_object_get(run->environment, "iommu"),
			    "mode", "?")));
	if (!loaded->complete)
		put_wrapped("", memory_print("**The run is incomplete: %s.**",
					     plain(run->cut_short)));
	printf("\n");
}

/* Whose verdicts a row of the table counts. */
struct row {
	const char *name;
	unsigned int counts[VERDICT_COUNT];
	unsigned int all;
};

struct table {
	struct list rows;	/* of struct row */
	struct row total;
};

static const char *name_of_subject(const struct leaf *leaf,
				   const struct test_case *test)
{
	if (test->job->origin)
		return memory_print("(tests of others: %s)", test->job->origin);
	if (!leaf->subject)
		return "(nobody: not judged)";
	if (leaf->ours)
		return "(the suite's peers)";
	return memory_print("%s %s", text_member(leaf->subject, "driver", "?"),
			    text_member(leaf->subject, "version", ""));
}

static struct row *row_of(struct table *table, const char *name)
{
	struct row *row;

	for_list(struct row *, known, &table->rows)
		if (!strcmp(known->name, name))
			return known;
	row = memory_get(sizeof(*row));
	row->name = name;
	list_add(&table->rows, row);
	return row;
}

static void count_leaf(struct leaf *leaf, struct test_case *test, void *context)
{
	struct table *table = context;
	struct row *row = row_of(table, name_of_subject(leaf, test));

	row->counts[leaf->verdict]++;
	row->all++;
	table->total.counts[leaf->verdict]++;
	table->total.all++;
}

static void put_row(const struct table *table, const struct row *row)
{
	printf("| %s |", plain(row->name));
	for (int verdict = 1; verdict < VERDICT_COUNT; verdict++)
		if (table->total.counts[verdict])
			printf(" %u |", row->counts[verdict]);
	printf(" %u |\n", row->all);
}

/* Verdicts that nobody got have no column. */
static void put_table(const struct run *run)
{
	struct table table = { .total.name = "all" };

	run_visit_leaves(run, count_leaf, &table);
	printf("| verdicts on |");
	for (int verdict = 1; verdict < VERDICT_COUNT; verdict++)
		if (table.total.counts[verdict])
			printf(" %s |", verdict_name(verdict));
	printf(" all |\n|---|");
	for (int verdict = 1; verdict < VERDICT_COUNT; verdict++)
		if (table.total.counts[verdict])
			printf("--:|");
	printf("--:|\n");
	for_list(struct row *, row, &table.rows)
		put_row(&table, row);
	put_row(&table, &table.total);
}

/* What a reader wants to read of one by one. */
enum part { PART_UNEXPECTED, PART_KNOWN, PART_WARNINGS, PART_REFUSED,
	    PART_COUNT };

static const char *const titles[PART_COUNT] = {
	[PART_UNEXPECTED] = "Unexpected",
	[PART_KNOWN] = "Known failures",
	[PART_WARNINGS] = "Warnings",
	[PART_REFUSED] = "Refused",
};

struct findings {
	const struct run *run;
	struct list groups[PART_COUNT];
	size_t counts[PART_COUNT];
};

static enum part part_of(const struct leaf *leaf)
{
	if (leaf->expected)
		return PART_UNEXPECTED;
	if (verdict_is_bad(leaf->verdict))
		return PART_KNOWN;
	if (leaf->verdict == VERDICT_WARN)
		return PART_WARNINGS;
	return leaf->verdict == VERDICT_REFUSED ? PART_REFUSED : PART_COUNT;
}

static const char *why(const struct leaf *leaf)
{
	if (leaf->excuse)
		return leaf->excuse;
	return leaf->verdict == VERDICT_VALUE ? leaf->value : leaf->reason;
}

static void find_leaf(struct leaf *leaf, struct test_case *test, void *context)
{
	struct findings *findings = context;
	enum part part = part_of(leaf);
	const struct pair *pair = test->job->pair;
	const char *wanted = leaf->expected && strcmp(leaf->expected, "pass") ?
			     memory_print(" (expected %s)", leaf->expected) : "";

	if (part == PART_COUNT)
		return;
	findings->counts[part]++;
	group_add(&findings->groups[part], memory_print(
		  "**%s** %s%s%s `%s`%s, %s (%s)", verdict_name(leaf->verdict),
		  leaf->clause, *leaf->strength ? " " : "", leaf->strength,
		  case_title(test), plain(wanted),
		  plain(name_of_subject(leaf, test)),
		  results_evidence(findings->run, leaf, pair)),
		  pair, plain(why(leaf) ?: ""), true);
}

static void put_findings(const struct run *run)
{
	struct findings findings = { .run = run };

	run_visit_leaves(run, find_leaf, &findings);
	for (int part = 0; part < PART_COUNT; part++) {
		if (!findings.counts[part])
			continue;
		put_title(titles[part], findings.counts[part]);
		for_list(struct group *, group, &findings.groups[part])
			put_wrapped("- ", group_text(group));
	}
}

static void put_list(const char *title, const struct list *lines)
{
	if (!lines->count)
		return;
	put_title(title, lines->count);
	for_list(const char *, line, lines)
		put_wrapped("- ", plain(line));
}

static const char *reasons_of(const json_t *backend)
{
	const char *reasons = "";
	json_t *reason;
	size_t i;

	json_array_foreach(json_object_get(backend, "reasons"), i, reason)
		reasons = memory_print("%s%s%s", reasons, *reasons ? "; " : "",
				       json_string_value(reason) ?: "?");
	return reasons;
}

static void put_absent(const struct run *run)
{
	struct list absent = { 0 };
	json_t *backend;
	size_t i;

	json_array_foreach(run->backends, i, backend)
		if (!json_is_true(json_object_get(backend, "available")))
			list_add(&absent, (char *)memory_print("%s %s: %s",
				text_member(backend, "role", "?"),
				text_member(backend, "selector", "?"),
				reasons_of(backend)));
	put_list("Not there to be judged", &absent);
}

bool render_markdown(struct loaded *loaded,
		     const struct render_options *options)
{
	(void)options;
	put_head(loaded);
	put_table(&loaded->run);
	put_findings(&loaded->run);
	put_list("Missing", &loaded->missing);
	put_list("Kernel memory that nobody freed", &loaded->run.leaks);
	put_list("Kernel memory that nobody freed, as is known",
		 &loaded->run.known_leaks);
	put_absent(&loaded->run);
	return true;
}

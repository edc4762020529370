// SPDX-License-Identifier: GPL-2.0-only
#include "report/summary.h"

#include <stdio.h>
#include <string.h>

#include "report/areas.h"
#include "report/findings.h"
#include "report/page.h"
#include "report/remaining.h"
#include "report/results.h"
#include "report/source.h"
#include "stream/text.h"

/* So that all fits on one page. */
#define NOTES_MAX	3
#define PAIRS_MIN	4

/* What stands below the rows of the table. */
#define LINES_BELOW	8

static void print_kernel(const struct run *run)
{
	json_t *kernel = json_object_get(run->environment, "kernel");
	json_t *iommu = json_object_get(run->environment, "iommu");

	page_print(TINT_NONE, "kernel   %s %s, IOMMU %s, %s, suite %s\n",
		   text_member(kernel, "release", "?"),
		   text_member(kernel, "arch", ""),
		   text_member(iommu, "mode", "?"),
		   text_member(run->hello, "mode", "?"),
		   text_member(run->hello, "suite", "?"));
}

static void print_config(const struct run *run)
{
	json_t *kernel = json_object_get(run->environment, "kernel");
	const char *list = "";
	const char *name;
	json_t *value;

	json_object_foreach(json_object_get(kernel, "config"), name, value)
		list = memory_print("%s%s%s=%s", list, *list ? " " : "",
				    strncmp(name, "CONFIG_", 7) ? name :
				    name + 7, json_string_value(value) ?: "?");
	if (*list)
		page_wrap("config   ", list, 3);
}

static void print_law(const struct run *run)
{
	const char *list = "";
	json_t *law;
	size_t i;

	json_array_foreach(run->laws, i, law)
		list = memory_print("%s%s%s=%s", list, *list ? " " : "",
				    text_member(law, "feature", "?"),
				    text_member(law, "value", "?"));
	if (*list)
		page_wrap("law      ", list, 5);
}

static void print_absent(const struct run *run)
{
	const char *list = "";
	json_t *backend;
	size_t i;

	json_array_foreach(run->backends, i, backend)
		if (!json_is_true(json_object_get(backend, "available")))
			list = memory_print("%s%s%s %s", list,
				*list ? ", " : "",
				text_member(backend, "role", ""),
				text_member(backend, "selector", "?"));
	if (*list)
		page_wrap("absent   ", list, 2);
}

static void print_notes(const struct run *run)
{
	size_t shown = 0;

	for_list(const char *, note, &run->notes)
		if (strncmp(note, "will use ", 9) && shown++ < NOTES_MAX)
			page_wrap("note     ", note, 1);
	if (run->complaints.count)
		page_print(TINT_BAD, "stream   faults: %zu, the first: %.66s\n",
			   run->complaints.count,
			   (const char *)run->complaints.items[0]);
	if (run->cut_short && !source_all_ended(run))
		page_print(TINT_BAD, "cut      %.88s\n", run->cut_short);
	if (remaining_count(run))
		page_print(TINT_BAD, "not run  %zu of %zu jobs remain\n",
			   remaining_count(run), run->jobs.count);
}

static void print_share(const struct run *run, enum share share)
{
	static const char *const titles[SHARE_COUNT] = {
		[SHARE_DRIVERS] = "drivers and core",
		[SHARE_PEERS] = "peers (self-tests)",
		[SHARE_OTHERS] = "(tests of others)",
		[SHARE_NOBODY] = "nobody (not judged)",
	};
	struct totals totals = totals_of(run, share);

	if (!totals.leaves)
		return;
	page_print(TINT_NONE, "%-20s", titles[share]);
	for (int verdict = 1; verdict < VERDICT_COUNT; verdict++) {
		unsigned int count = totals.by_verdict[verdict];

		page_print(count && verdict_is_bad(verdict) ? TINT_BAD :
			   TINT_NONE, "%8u", count);
	}
	page_print(TINT_NONE, "%8u\n", totals.leaves);
}

static void print_totals(const struct run *run)
{
	page_print(TINT_TITLE, "%-20s", "verdicts on");
	for (int verdict = 1; verdict < VERDICT_COUNT; verdict++)
		page_print(TINT_TITLE, "%8s", verdict_name(verdict));
	page_print(TINT_TITLE, "%8s\n", "all");
	for (int share = SHARE_ALL + 1; share < SHARE_COUNT; share++)
		print_share(run, share);
}

/* The table takes what the other parts have left of the page. */
static size_t rows_left(const struct findings *findings)
{
	int left = SUMMARY_LINES_MAX - page_lines() - LINES_BELOW -
		   (int)findings_lines(findings);

	return left < PAIRS_MIN ? PAIRS_MIN : left;
}

size_t summary_unexpected(const struct run *run,
			  const struct expected *expected)
{
	return totals_of(run, SHARE_ALL).unexpected + expected->missing.count +
	       run->leaks.count +
	       (expected->gate ? run->complaints.count : 0);
}

void summary_print(const struct run *run, const struct expected *expected,
		   const char *folder)
{
	struct totals totals = totals_of(run, SHARE_ALL);
	size_t wrong = summary_unexpected(run, expected);
	struct findings findings;

	findings_collect(&findings, run, expected);
	page_print(TINT_NONE, "\n");
	print_kernel(run);
	print_config(run);
	print_law(run);
	print_absent(run);
	print_notes(run);
	areas_print(run, rows_left(&findings));
	print_totals(run);
	findings_print(&findings);
	page_print(wrong ? TINT_BAD : TINT_GOOD, "%zu pair%s, %u verdicts: %s",
		   run->pairs.count, run->pairs.count == 1 ? "" : "s",
		   totals.leaves, wrong ?
		   memory_print("%zu unexpected", wrong) :
		   "nothing unexpected");
	page_print(TINT_NONE, "%s%s\n", folder ? "; results in " : "",
		   folder ?: "");
}

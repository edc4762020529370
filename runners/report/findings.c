// SPDX-License-Identifier: GPL-2.0-only
#include "report/findings.h"

#include <string.h>

#include "report/group.h"
#include "report/page.h"

/* Lines of each part, so that all of them fit on one page. */
#define MISSING_MAX	4
#define LEAKS_MAX	4
#define STALE_MAX	3

static const struct {
	const char *title;
	size_t max;
	enum tint tint;
} kinds[FINDING_COUNT] = {
	[FINDING_WORSE] = { "Worse than expected", 10, TINT_BAD },
	[FINDING_VALUE] = { "Other than expected", 4, TINT_BAD },
	[FINDING_PASS] = { "Unexpected passes", 4, TINT_GOOD },
	[FINDING_FLAKE] = { "Flakes that failed, which is known of them", 3,
			    TINT_WEAK },
};

static enum finding_kind kind_of(const struct leaf *leaf)
{
	if (!leaf->expected)
		return leaf->flake && verdict_is_bad(leaf->verdict) ?
		       FINDING_FLAKE : FINDING_COUNT;
	if (verdict_is_bad(leaf->verdict) || verdict_is_skip(leaf->verdict))
		return FINDING_WORSE;
	return leaf->verdict == VERDICT_PASS ? FINDING_PASS : FINDING_VALUE;
}

static const char *remark_on(const struct leaf *leaf)
{
	if (!leaf->expected)
		return *leaf->flake ?
		       memory_print(" (in %s runs)", leaf->flake) : "";
	/* That a fail should have been a pass needs no words. */
	if (verdict_is_bad(leaf->verdict) && !strcmp(leaf->expected, "pass"))
		return "";
	return memory_print(" (expected %s)", leaf->expected);
}

struct collecting {
	struct findings *findings;
	bool failures;		/* these, or all others: failures come first */
};

static void collect(struct leaf *leaf, struct test_case *test, void *context)
{
	struct collecting *collecting = context;
	struct findings *findings = collecting->findings;
	enum finding_kind kind = kind_of(leaf);
	const char *why = leaf->verdict == VERDICT_VALUE ? leaf->value :
			  leaf->reason;

	if (kind == FINDING_COUNT ||
	    verdict_is_bad(leaf->verdict) != collecting->failures)
		return;
	findings->counts[kind]++;
	group_add(&findings->groups[kind],
		  memory_print("%-7s %-8s %s%s", verdict_name(leaf->verdict),
			       leaf->clause, case_title(test),
			       remark_on(leaf)),
		  test->job->pair, why, true);
}

void findings_collect(struct findings *findings, const struct run *run,
		      const struct expected *expected)
{
	struct collecting collecting = { findings, true };

	*findings = (struct findings){
		.expected = expected, .leaks = &run->leaks,
	};
	run_visit_leaves(run, collect, &collecting);
	collecting.failures = false;
	run_visit_leaves(run, collect, &collecting);
}

/* Of a list of so many that is cut there, with its title. */
static size_t lines_of(size_t count, size_t max)
{
	return count ? 1 + (count > max ? max + 1 : count) : 0;
}

size_t findings_lines(const struct findings *findings)
{
	const struct expected *expected = findings->expected;
	size_t lines = !!expected->absent +
		       lines_of(expected->missing.count, MISSING_MAX) +
		       lines_of(findings->leaks->count, LEAKS_MAX) +
		       lines_of(expected->stale.count, STALE_MAX);

	for (int kind = 0; kind < FINDING_COUNT; kind++)
		lines += lines_of(findings->groups[kind].count,
				  kinds[kind].max);
	return lines;
}

static void print_rest(size_t count, size_t max)
{
	if (count > max)
		page_print(TINT_NONE, "  ... and %zu more\n", count - max);
}

static void print_kind(const struct findings *findings, enum finding_kind kind)
{
	const struct list *groups = &findings->groups[kind];
	size_t shown = 0;

	if (!groups->count)
		return;
	page_print(TINT_TITLE, "%s: %zu\n", kinds[kind].title,
		   findings->counts[kind]);
	for_list(const struct group *, group, groups)
		if (shown++ < kinds[kind].max)
			page_print(kinds[kind].tint, "  %.*s\n",
				   PAGE_WIDTH - 2, group_text(group));
	print_rest(groups->count, kinds[kind].max);
}

static void print_list(const char *title, const struct list *lines, size_t max)
{
	size_t shown = 0;

	if (!lines->count)
		return;
	page_print(TINT_TITLE, "%s: %zu\n", title, lines->count);
	for_list(const char *, line, lines)
		if (shown++ < max)
			page_print(TINT_NONE, "  %.*s\n", PAGE_WIDTH - 2, line);
	print_rest(lines->count, max);
}

void findings_print(const struct findings *findings)
{
	const struct expected *expected = findings->expected;

	if (expected->absent)
		page_print(TINT_TITLE, "Nothing is expected of this kernel: "
			   "there is no folder %.40s\n", expected->absent);
	print_kind(findings, FINDING_WORSE);
	print_list("Missing", &expected->missing, MISSING_MAX);
	print_list("Kernel memory that nobody freed", findings->leaks, LEAKS_MAX);
	print_kind(findings, FINDING_VALUE);
	print_kind(findings, FINDING_PASS);
	print_kind(findings, FINDING_FLAKE);
	print_list("Stale lines of expected results", &expected->stale,
		   STALE_MAX);
}

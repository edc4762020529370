// SPDX-License-Identifier: GPL-2.0-only
/* The whole contract as a page in Markdown. */

#include <ctype.h>

#include "clause/explain.h"

/* "PIN-08" -> "pin-08", as in links to its heading. */
static void print_anchor(FILE *out, const char *id)
{
	for (; *id; id++)
		putc(tolower((unsigned char)*id), out);
}

static void page_head(FILE *out)
{
	const struct clause_group *group;

	fputs("# The dma-buf contract, clause by clause\n\n"
	      "Written by `cts-explain --all` from the clause table. MUST: a\n"
	      "driver that breaks it fails; SHOULD: a warning; MAY: recorded.\n"
	      "\n", out);
	for (size_t i = 0; (group = clause_group(i)); i++) {
		fprintf(out, "- [%s](#", group->name);
		print_anchor(out, group->name);
		fprintf(out, "): %s\n", group->title);
	}
}

static void page_law(FILE *out)
{
	fputs("\n## Law\n\n"
	      "What depends on the kernel depends on these features of it.\n\n"
	      "| feature | yes | no |\n|---|---|---|\n", out);
	for (int i = 0; i < LAW_COUNT; i++)
		fprintf(out, "| `%s` | %s | %s |\n", law_name(i),
			law_meaning(i, YES), law_meaning(i, NO));
}

static void page_applies(FILE *out, capability_set applies)
{
	const char *between = " Pairs: ";

	for (int i = 0; i < CAPABILITY_COUNT; i++) {
		if (!(applies & CAP(i)))
			continue;
		fprintf(out, "%s%s", between, capability_name(i));
		between = ", ";
	}
	fputs(applies ? ".\n" : " Any pair.\n", out);
}

static void page_check(FILE *out, const struct clause *check)
{
	fprintf(out, "- **%s** (%s, %s) %s", check->id,
		party_name(check->party), strength_name(check->strength),
		check->text);
	page_applies(out, check->applies);
}

static void page_when(FILE *out, const struct clause_when *when)
{
	fprintf(out, "- Where `%s` is %s: %s ", law_name(when->feature),
		law_value_name(when->value), when->id);
	if (when->strength == STRENGTH_NONE)
		fprintf(out, "does not hold. %s\n", when->text);
	else
		fprintf(out, "is %s. %s\n", strength_name(when->strength),
			when->text);
}

static void page_tests(FILE *out, const struct clause *clause,
		       const struct coverage *coverage)
{
	const char *between = "- Tests: ";

	for (size_t i = 0; i < coverage->count; i++) {
		const struct covering_test *test = &coverage->tests[i];

		if (!test_declares(test, clause))
			continue;
		fprintf(out, "%s`%s.%s`", between, test->program, test->name);
		between = ", ";
	}
	if (*between == ',')
		putc('\n', out);
}

static void page_clause(FILE *out, const struct clause *clause,
			const struct coverage *coverage)
{
	const struct clause_when *when = NULL;
	const char *dispute = clause_dispute(clause);

	fprintf(out, "\n### %s\n\n", clause->id);
	if (clause->letters)
		fprintf(out, "%s\n\n", clause->text);
	else
		page_check(out, clause);
	for (unsigned int i = 0; i < clause->letters; i++)
		page_check(out, clause_letter(clause, i));
	while ((when = clause_when_next(clause, when)))
		page_when(out, when);
	fprintf(out, "- Source: %s.\n", clause->source);
	if (dispute)
		fprintf(out, "- Disputed: %s\n", dispute);
	page_tests(out, clause, coverage);
}

void explain_page(FILE *out, const struct coverage *coverage)
{
	const struct clause_group *group;

	page_head(out);
	page_law(out);
	for (size_t i = 0; (group = clause_group(i)); i++) {
		const struct clause *clause = NULL;

		fprintf(out, "\n## %s\n\n%c%s.\n", group->name,
			toupper((unsigned char)group->title[0]),
			group->title + 1);
		while ((clause = clause_next(clause)))
			if (clause_in_group(clause, group))
				page_clause(out, clause, coverage);
	}
}

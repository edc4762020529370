// SPDX-License-Identifier: GPL-2.0-only
/* A clause as text for a terminal. */

#include <string.h>

#include "clause/explain.h"

#define WIDTH	79
#define INDENT	12	/* of what stands beside an id or a label */

/* @text in lines, each beginning at @indent; the cursor is there already. */
static void print_wrapped(FILE *out, int indent, const char *text)
{
	int column = indent;

	while (*text) {
		int length = strcspn(text, " ");

		if (column > indent && column + 1 + length > WIDTH) {
			fprintf(out, "\n%*s", indent, "");
			column = indent;
		}
		column += fprintf(out, "%s%.*s", column > indent ? " " : "",
				  length, text);
		text += length;
		text += *text == ' ';
	}
	putc('\n', out);
}

static void print_labelled(FILE *out, const char *label, const char *text)
{
	fprintf(out, "%-*s", INDENT, label);
	print_wrapped(out, INDENT, text);
}

static void print_capabilities(FILE *out, const char *label,
			       capability_set capabilities)
{
	char text[600] = "any pair";
	size_t length = 0;

	for (int i = 0; i < CAPABILITY_COUNT; i++)
		if (capabilities & CAP(i))
			length += snprintf(text + length, sizeof(text) - length,
					   "%s%s", length ? ", " : "",
					   capability_name(i));
	fprintf(out, "%*s%s: ", INDENT, "", label);
	print_wrapped(out, INDENT + 2 + (int)strlen(label), text);
}

static void print_when(FILE *out, const struct clause_when *when)
{
	bool holds = when->strength != STRENGTH_NONE;
	char text[600];

	snprintf(text, sizeof(text), "%s=%s (%s): %s %s%s. %s",
		 law_name(when->feature), law_value_name(when->value),
		 law_meaning(when->feature, when->value), when->id,
		 holds ? "is " : "does not hold",
		 holds ? strength_name(when->strength) : "", when->text);
	print_labelled(out, "Where", text);
}

static void print_check(FILE *out, const struct clause *check,
			const struct law *law)
{
	fprintf(out, "%-*s", INDENT, check->id);
	fprintf(out, "%s, %s", party_name(check->party),
		strength_name(check->strength));
	if (law)
		fprintf(out, "; under this law %s",
			strength_name(clause_strength_under(check, law)));
	fprintf(out, "\n%*s", INDENT, "");
	print_wrapped(out, INDENT, check->text);
	print_capabilities(out, "on", check->applies);
}

static void print_tests(FILE *out, const struct clause *clause,
			const struct coverage *coverage)
{
	const char *label = "Tests";

	for (size_t i = 0; i < coverage->count; i++) {
		const struct covering_test *test = &coverage->tests[i];

		if (!test_declares(test, clause))
			continue;
		fprintf(out, "%-*s%s.%s\n", INDENT, label, test->program,
			test->name);
		label = "";
	}
	if (*label)
		print_labelled(out, label, "none");
}

void explain_clause(FILE *out, const struct clause *clause,
		    const struct law *law, const struct coverage *coverage)
{
	const struct clause_when *when = NULL;
	const char *dispute = clause_dispute(clause);

	if (clause->letters) {
		print_labelled(out, clause->id, clause->text);
		for (unsigned int i = 0; i < clause->letters; i++)
			print_check(out, clause_letter(clause, i), law);
	} else {
		print_check(out, clause, law);
	}
	while ((when = clause_when_next(clause, when)))
		print_when(out, when);
	print_labelled(out, "Source", clause->source);
	if (dispute)
		print_labelled(out, "Disputed", dispute);
	print_tests(out, clause, coverage);
}

static void list_check(FILE *out, const struct clause *check, bool untested,
		       const struct coverage *coverage)
{
	if (untested && is_tested(coverage, check))
		return;
	fprintf(out, "%-11s %-9s %-6s %s\n", check->id,
		party_name(check->party), strength_name(check->strength),
		check->text);
}

void explain_list(FILE *out, bool untested, const struct coverage *coverage)
{
	for (int i = 0; i < CLAUSE_COUNT; i++)
		list_check(out, clause_get(i), untested, coverage);
}

static void print_declared(FILE *out, const struct covering_test *test)
{
	fprintf(out, "%*sclauses:", INDENT, "");
	for (size_t i = 0; i < test->count; i++)
		fprintf(out, " %s", test->clauses[i]->id);
	putc('\n', out);
}

void explain_tests(FILE *out, const struct coverage *coverage)
{
	for (size_t i = 0; i < coverage->count; i++) {
		const struct covering_test *test = &coverage->tests[i];

		fprintf(out, "%s.%s\n", test->program, test->name);
		print_declared(out, test);
		print_capabilities(out, "on", test->needs);
	}
}

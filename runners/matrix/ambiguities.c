// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where documentation and code disagree, or are silent: what is disputed, which
 * checks record instead of judging until somebody rules, and what each kernel
 * was measured to do.
 */
#include <string.h>

#include "matrix/escape.h"
#include "matrix/render.h"
#include "stream/text.h"

/* What rows have in common that saw the same thing. */
struct sighting {
	const char *series;
	const char *check;
	const char *what;
	const char *who;	/* drivers, with role and evidence */
};

/* "value 12 times", "pass 3 times, fail once". */
static const char *counts_of(const json_t *entry)
{
	json_t *counts = json_object_get(entry, "counts");
	const char *text = "", *between = "", *verdict;
	json_t *count;

	json_object_foreach(counts, verdict, count) {
		json_int_t times = json_integer_value(count);

		text = memory_print("%s%s%s", text, between, verdict);
		if (times > 1)
			text = memory_print("%s (%lld times)", text,
					    (long long)times);
		between = ", ";
	}
	return text;
}

/* Reasons of a value are the different values. */
static const char *what_of(const json_t *entry)
{
	const char *text = counts_of(entry), *between = ": ";
	json_t *reason;
	size_t i;

	json_array_foreach(json_object_get(entry, "reasons"), i, reason) {
		text = memory_print("%s%s%s", text, between,
				    text_member(reason, "text", ""));
		between = "; ";
	}
	return text;
}

static void note(struct list *sightings, const struct row *row,
		 const struct check *check)
{
	const char *what = what_of(json_object_get(row->clauses, check->id));
	const char *who = memory_print("%s, %s (%s)", row->driver, row->role,
				       row->evidence);
	struct sighting *sighting;

	for_list(struct sighting *, known, sightings) {
		if (strcmp(known->series, row->series) ||
		    strcmp(known->check, check->id) || strcmp(known->what, what))
			continue;
		known->who = memory_print("%s; %s", known->who, who);
		return;
	}
	sighting = memory_get(sizeof(*sighting));
	*sighting = (struct sighting){ row->series, check->id, what, who };
	list_add(sightings, sighting);
}

static bool says_something(const struct row *row, const struct check *check)
{
	enum verdict verdict = row_verdict(row, check);

	return row->origin == ORIGIN_MEASURED && verdict != VERDICT_NONE &&
	       verdict != VERDICT_SKIP;
}

static void collect(const struct grid *grid, const struct column *column,
		    struct list *sightings)
{
	for_list(const struct check *, check, &column->checks)
		for_list(const struct row *, row, &grid->rows)
			if (says_something(row, check))
				note(sightings, row, check);
}

static void print_sightings(const struct list *sightings, FILE *out)
{
	if (!sightings->count) {
		fputs("\nNo recorded run says anything of it.\n", out);
		return;
	}
	fputs("\n| kernel | check | what was seen | on |\n|---|---|---|---|\n", out);
	for_list(const struct sighting *, seen, sightings) {
		fprintf(out, "| %s | %s | ", seen->series, seen->check);
		escape_markdown(out, seen->what);
		fputs(" | ", out);
		escape_markdown(out, seen->who);
		fputs(" |\n", out);
	}
}

static void print_waiting(const struct column *column, FILE *out)
{
	for_list(const struct check *, check, &column->checks) {
		if (strcmp(check->strength, "MAY"))
			continue;
		fprintf(out, "- **%s** records and waits for an answer: ", check->id);
		escape_markdown(out, check->text);
		fputc('\n', out);
	}
}

static void print_dispute(const struct grid *grid, const struct column *column,
			  FILE *out)
{
	struct list sightings = { 0 };

	fprintf(out, "\n## %s\n\n", column->clause);
	escape_markdown(out, column->text);
	fputs("\n\n", out);
	escape_markdown(out, column->dispute);
	fputs("\n\n", out);
	print_waiting(column, out);
	collect(grid, column, &sightings);
	print_sightings(&sightings, out);
}

bool render_ambiguities(const struct rendering *rendering, FILE *out)
{
	const struct grid *grid = rendering->grid;

	fputs("# Where the dma-buf contract is disputed\n\n"
	      "Documentation and code disagree here, or are silent. A driver fails only on\n"
	      "what both agree on; the rest is recorded. Written by `dmabuf-cts ambiguities`\n"
	      "from the clause table and the recorded results.\n", out);
	if (grid->generated)
		fputs("\n**Results on this page were generated for a test. No driver was run.**\n",
		      out);
	for_list(const struct group *, group, &grid->columns.groups)
		for_list(const struct column *, column, &group->columns)
			if (column->dispute)
				print_dispute(grid, column, out);
	return true;
}

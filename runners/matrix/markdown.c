// SPDX-License-Identifier: GPL-2.0-only
/* The matrix as a page in Markdown: by groups of clauses, then all that is not well. */
#include <string.h>

#include "matrix/escape.h"
#include "matrix/field.h"
#include "matrix/paragraph.h"
#include "matrix/render.h"
#include "matrix/standing.h"

static void print_cell(FILE *out, const struct tally *tally)
{
	const char *blank = "";

	for (int verdict = VERDICT_COUNT - 1; verdict; verdict--) {
		if (!tally->by_verdict[verdict])
			continue;
		fprintf(out, "%s%u %s", blank, tally->by_verdict[verdict],
			verdict_name(verdict));
		blank = ", ";
	}
	fputs(" | ", out);
}

static void print_row(const struct grid *grid, const struct row *row, FILE *out)
{
	fputs("| ", out);
	escape_markdown(out, row->driver);
	fprintf(out, " | %s | %s | %s | ", row->role, row->series,
		row->evidence);
	for_list(const struct group *, group, &grid->columns.groups) {
		struct tally tally = row_tally(row, group);

		print_cell(out, &tally);
	}
	fputc('\n', out);
}

static size_t count_rows(const struct grid *grid, enum origin origin)
{
	size_t count = 0;

	for_list(const struct row *, row, &grid->rows)
		count += row->origin == origin;
	return count;
}

static void print_table(const struct grid *grid, enum origin origin, FILE *out)
{
	if (!count_rows(grid, origin)) {
		fputs("None yet.\n", out);
		return;
	}
	fputs("| driver | role | kernel | evidence | ", out);
	for_list(const struct group *, group, &grid->columns.groups)
		fprintf(out, "%s | ", group->name);
	fputs("\n|---|---|---|---|", out);
	for (size_t i = 0; i < grid->columns.groups.count; i++)
		fputs("---|", out);
	fputc('\n', out);
	for_list(const struct row *, row, &grid->rows)
		if (row->origin == origin)
			print_row(grid, row, out);
}

static bool is_finding(enum verdict verdict)
{
	return verdict_is_bad(verdict) || verdict == VERDICT_WARN ||
	       verdict == VERDICT_REFUSED;
}

static void print_findings(const struct grid *grid, const struct row *row,
			   FILE *out)
{
	for_list(const struct check *, check, &grid->columns.checks) {
		enum verdict verdict = row_verdict(row, check);

		if (verdict == VERDICT_NONE ||
		    (row->origin == ORIGIN_MEASURED && !is_finding(verdict)))
			continue;
		fputs("- ", out);
		escape_markdown(out, row->driver);
		fprintf(out, ", %s, %s (%s): %s **%s**: ", row->role,
			row->series, row->evidence, check->id,
			verdict_name(verdict));
		escape_markdown(out, row_reason(row, check));
		fputc('\n', out);
	}
}

static void print_all_findings(const struct grid *grid, enum origin origin,
			       FILE *out)
{
	for_list(const struct row *, row, &grid->rows)
		if (row->origin == origin)
			print_findings(grid, row, out);
}

static void print_unmeasured(const struct grid *grid, FILE *out)
{
	for_list(const struct row *, row, &grid->rows) {
		if (row->origin != ORIGIN_NONE)
			continue;
		fputs("- ", out);
		escape_markdown(out, row->driver);
		fprintf(out, ", %s, %s", row->role, row->series);
		if (row->read) {
			fputs(": ", out);
			escape_markdown(out, row->read);
		}
		fputc('\n', out);
	}
}

static void print_field(const struct fact_role *role, const struct field *field,
			FILE *out)
{
	if (!paragraph_lines(role->paragraph, field->name))
		return;
	fprintf(out, "- %s: ", field->name);
	field_print(role->paragraph, field, "; ", escape_markdown, out);
	fputc('\n', out);
}

static void print_role(const struct fact_role *role, FILE *out)
{
	size_t count;
	const struct field *fields = fields_of_role(&count);

	fprintf(out, "\n**%s%s%s**\n\n", role->role, role->what ? ", " : "",
		role->what ?: "");
	for (size_t i = 0; i < count; i++)
		if (strcmp(fields[i].name, "Role") &&
		    strcmp(fields[i].name, "What"))
			print_field(role, &fields[i], out);
}

static void print_fact(const struct fact *fact, FILE *out)
{
	static const char *const further[] = { "Also", "Like", "Note" };

	fputs("\n### ", out);
	escape_markdown(out, fact->driver);
	fputs("\n\n", out);
	escape_markdown(out, fact->vendor);
	fputs(": ", out);
	escape_markdown(out, paragraph_text(fact->paragraph, "Device") ?: "?");
	for (size_t i = 0; i < sizeof(further) / sizeof(*further); i++) {
		const char *text = paragraph_text(fact->paragraph, further[i]);

		if (text) {
			fprintf(out, ". %s: ", further[i]);
			escape_markdown(out, text);
		}
	}
	fputc('\n', out);
	for_list(const struct fact_role *, role, &fact->roles)
		print_role(role, out);
}

static void print_standings(const struct rendering *rendering, FILE *out)
{
	for_list(const struct row *, row, &rendering->grid->rows) {
		struct standing standing = standing_of(row, rendering->profiles);
		const char *next = standing_next(&standing);

		if (!standing.known)
			continue;
		fputs("- ", out);
		escape_markdown(out, row->driver);
		fprintf(out, ", %s, %s (%s): %s%s%s\n", row->role, row->series,
			row->evidence, standing_met(&standing),
			*next ? ". Next is " : "", next);
	}
}

bool render_markdown(const struct rendering *rendering, FILE *out)
{
	const struct grid *grid = rendering->grid;

	fputs("# dma-buf drivers and the contract\n\n", out);
	if (grid->generated)
		fputs("**Results on this page were generated for a test. No driver was run.**\n\n",
		      out);
	fputs("Numbers count clauses by their worst verdict. Nothing in a cell means that nothing was run.\n\n"
	      "## Measured\n\n", out);
	print_table(grid, ORIGIN_MEASURED, out);
	fputs("\n### Profiles of conformance that are met, and what keeps from the next\n\n",
	      out);
	print_standings(rendering, out);
	fputs("\n### What is not well, or was refused\n\n", out);
	print_all_findings(grid, ORIGIN_MEASURED, out);
	fputs("\n## Read in the source, measured by nobody\n\n"
	      "What a driver's source lets one expect.\n\n", out);
	print_all_findings(grid, ORIGIN_READ, out);
	fputs("\n## Not run\n\n", out);
	print_unmeasured(grid, out);
	fputs("\n## Facts\n", out);
	for_list(const struct fact *, fact, rendering->facts)
		print_fact(fact, out);
	return true;
}

// SPDX-License-Identifier: GPL-2.0-only
/* The matrix for spreadsheets (RFC 4180): one line a row, or one a verdict. */
#include <string.h>

#include "matrix/render.h"
#include "matrix/standing.h"

/* What a spreadsheet would take for a formula is made a text. */
static void print_field(FILE *out, const char *text, const char *end)
{
	if (*text && strchr("=+-@", *text))
		fprintf(out, "\"'");
	else
		fputc('"', out);
	for (const char *c = text; *c; c++) {
		if (*c == '"')
			fputc('"', out);
		fputc(*c, out);
	}
	fprintf(out, "\"%s", end);
}

static void print_row(const struct row *row, FILE *out)
{
	print_field(out, row->driver, ",");
	print_field(out, row->vendor, ",");
	print_field(out, row->role, ",");
	print_field(out, row->series, ",");
	print_field(out, origin_name(row->origin), ",");
	print_field(out, row->evidence, "");
}

static void print_verdict(const struct row *row, const struct check *check,
			  FILE *out)
{
	enum verdict verdict = row_verdict(row, check);

	if (verdict == VERDICT_NONE)
		return;
	print_row(row, out);
	fputc(',', out);
	print_field(out, check->id, ",");
	print_field(out, verdict_name(verdict), ",");
	print_field(out, row_reason(row, check), "\r\n");
}

static void print_verdicts(const struct grid *grid, FILE *out)
{
	fputs("driver,vendor,role,kernel,origin,evidence,clause,verdict,reason\r\n",
	      out);
	for_list(const struct row *, row, &grid->rows)
		for_list(const struct check *, check, &grid->columns.checks)
			print_verdict(row, check, out);
}

static void print_cells(const struct row *row, const struct group *group,
			FILE *out)
{
	for_list(const struct column *, column, &group->columns) {
		enum verdict verdict = row_worst(row, column);

		fprintf(out, ",%s", verdict ? verdict_name(verdict) : "");
	}
}

static void print_standing(const struct row *row, const json_t *profiles,
			   FILE *out)
{
	struct standing standing = standing_of(row, profiles);

	fputc(',', out);
	print_field(out, standing_met(&standing), ",");
	print_field(out, standing_next(&standing), "");
}

static void print_rows(const struct rendering *rendering, FILE *out)
{
	const struct grid *grid = rendering->grid;

	fputs("driver,vendor,role,kernel,origin,evidence,profile,next profile",
	      out);
	for_list(const struct group *, group, &grid->columns.groups)
		for_list(const struct column *, column, &group->columns)
			fprintf(out, ",%s", column->clause);
	fputs("\r\n", out);
	for_list(const struct row *, row, &grid->rows) {
		print_row(row, out);
		print_standing(row, rendering->profiles, out);
		for_list(const struct group *, group, &grid->columns.groups)
			print_cells(row, group, out);
		fputs("\r\n", out);
	}
}

bool render_csv(const struct rendering *rendering, FILE *out)
{
	if (rendering->every_check)
		print_verdicts(rendering->grid, out);
	else
		print_rows(rendering, out);
	return true;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * cts-matrix: keeps what runs said of drivers, and shows it, by driver, kernel
 * series and clause, beside what was read in the drivers' sources.
 */
#include <stdio.h>
#include <string.h>

#include "conform/profile.h"
#include "matrix/add.h"
#include "matrix/columns.h"
#include "matrix/fact.h"
#include "matrix/fault.h"
#include "matrix/grid.h"
#include "matrix/options.h"
#include "matrix/paragraph.h"
#include "matrix/record.h"
#include "matrix/render.h"
#include "report/memory.h"
#include "stream/status.h"

static const struct {
	const char *name;
	bool (*render)(const struct rendering *rendering, FILE *out);
} formats[] = {
	{ "markdown", render_markdown },
	{ "csv", render_csv },
	{ "html", render_html },
	{ "ambiguities", render_ambiguities },
};

struct matrix {
	struct grid grid;
	struct list facts;
	struct list records;
	const json_t *profiles;
};

/* A prediction must be about a clause that there is. */
static void check_predictions(const struct matrix *matrix)
{
	for_list(const struct fact *, fact, &matrix->facts)
		for_list(const struct fact_role *, role, &fact->roles)
			for_list(const struct prediction *, prediction,
				 &role->predictions)
				if (!columns_find(&matrix->grid.columns,
						  prediction->clause))
					fault(fact->path,
					      paragraph_line(role->paragraph, "Predict"),
					      "Predict: there is no clause or check '%s'; 'dmabuf-cts explain --list' has them all",
					      prediction->clause);
}

static bool load(struct matrix *matrix, const struct options *options)
{
	if (!facts_load(&matrix->facts, options->drivers) ||
	    !records_load(&matrix->records, options->results))
		return false;
	check_predictions(matrix);
	return true;
}

static int check(struct matrix *matrix, const struct options *options)
{
	if (!load(matrix, options))
		return EXIT_NOT_JUDGED;
	if (fault_count())
		return EXIT_UNEXPECTED;
	printf("%zu fact files and %zu results: no faults\n",
	       matrix->facts.count, matrix->records.count);
	return EXIT_EXPECTED;
}

static int render(struct matrix *matrix, const struct options *options)
{
	struct rendering rendering = {
		.grid = &matrix->grid,
		.facts = &matrix->facts,
		.profiles = matrix->profiles,
		.page = options->page,
		.every_check = options->every_check,
	};

	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		if (strcmp(formats[i].name, options->format))
			continue;
		if (!load(matrix, options))
			return EXIT_NOT_JUDGED;
		if (fault_count())
			return EXIT_UNEXPECTED;
		grid_fill(&matrix->grid, &matrix->facts, &matrix->records);
		if (!formats[i].render(&rendering, stdout))
			return EXIT_NOT_JUDGED;
		if (!fflush(stdout) && !ferror(stdout))
			return EXIT_EXPECTED;
		fprintf(stderr, "cts-matrix: cannot write to standard output\n");
		return EXIT_NOT_JUDGED;
	}
	fprintf(stderr, "cts-matrix: the formats are markdown, csv, html and ambiguities, not '%s'\n",
		options->format);
	return EXIT_USAGE;
}

static int run(struct matrix *matrix, const struct options *options)
{
	if (!columns_load(&matrix->grid.columns, options->clauses))
		return EXIT_NOT_JUDGED;
	if (options->profiles)
		matrix->profiles = profiles_load(options->profiles);
	if (options->profiles && !matrix->profiles)
		return EXIT_NOT_JUDGED;
	if (!strcmp(options->verb, "check"))
		return check(matrix, options);
	if (!strcmp(options->verb, "render"))
		return render(matrix, options);
	return add_runs(options->runs, options->results,
			&matrix->grid.columns, options->replace) ? EXIT_EXPECTED : EXIT_NOT_JUDGED;
}

int main(int argc, char **argv)
{
	struct matrix matrix = { 0 };
	struct options options;
	int status = options_parse(&options, argc, argv);

	if (status < 0)
		status = run(&matrix, &options);
	memory_release();
	return status;
}

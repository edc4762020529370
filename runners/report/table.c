// SPDX-License-Identifier: GPL-2.0-only
#include "report/table.h"

#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/load.h"
#include "report/page.h"
#include "report/results.h"
#include "report/summary.h"
#include "stream/command_line.h"
#include "stream/status.h"
#include "stream/text.h"

/* More series than any distribution ever carried. */
#define ROWS_MAX	256

static const char help[] =
"Usage: cts-report table [--gate] LIST\n"
"Print a table of the runs on several kernels. LIST has a line for each, of five\n"
"fields with a tab between them: kernel; exit status of its run, or \"-\" where\n"
"none was meant to be; seconds that it took; its result folder, by its name\n"
"beside LIST; and a note, or the reason why there are no results.\n"
"\n"
"  --gate   the runs were gated: faults in a stream count as unexpected\n"
"  --help   show this text\n"
"\n"
"Exit status: 1 if a run had something unexpected; else 2 or 125, if one had it\n"
"or none could be judged; else 0.\n";

enum field { KERNEL, STATUS, SECONDS, FOLDER, NOTE, FIELDS };

/* Loaded runs are given back one by one, so that this holds nothing of them. */
struct row {
	char *field[FIELDS];
	char release[32];
	bool meant;		/* to be run */
	bool judged;		/* there are results */
	int status;
	size_t pairs;
	size_t unexpected;
	struct totals totals;
};

struct table {
	char *text;		/* of the list, cut into the rows' fields */
	const char *path;
	bool gate;
	struct row rows[ROWS_MAX];
	size_t count;
	unsigned int by_verdict[VERDICT_COUNT];	/* of all rows */
};

static int fail(const char *path, const char *why)
{
	fprintf(stderr, "cts-report table: %s: %s\n", path, why);
	return EXIT_NOT_JUDGED;
}

static bool split_line(struct row *row, char *line)
{
	char *end;

	for (int i = 0; i < FIELDS; i++) {
		row->field[i] = line;
		if (i == FIELDS - 1)
			break;
		line = strchr(line, '\t');
		if (!line)
			return false;
		*line++ = '\0';
	}
	row->meant = strcmp(row->field[STATUS], "-");
	row->status = strtol(row->field[STATUS], &end, 10);
	return !row->meant || (end != row->field[STATUS] && !*end);
}

static bool split_list(struct table *table)
{
	char *rest = table->text;

	for (char *line; (line = strsep(&rest, "\n"));) {
		if (!*line)
			continue;
		if (table->count == ROWS_MAX ||
		    !split_line(&table->rows[table->count++], line))
			return false;
	}
	return true;
}

/* The list as one text that is this program's own; NULL on failure. */
static char *read_text(const char *path)
{
	FILE *file = fopen(path, "re");
	char *text = NULL;
	size_t room = 0;

	if (!file)
		return NULL;
	if (getdelim(&text, &room, '\0', file) < 0 && !ferror(file) && text)
		*text = '\0';
	fclose(file);
	return text;
}

static void take_run(struct table *table, struct row *row,
		     struct loaded *loaded)
{
	struct expected expected = { .missing = loaded->missing,
				     .gate = table->gate };
	json_t *kernel = json_object_get(loaded->run.environment, "kernel");

	snprintf(row->release, sizeof(row->release), "%s",
		 text_member(kernel, "release", ""));
	row->judged = true;
	row->pairs = loaded->run.pairs.count;
	row->totals = totals_of(&loaded->run, SHARE_ALL);
	row->unexpected = summary_unexpected(&loaded->run, &expected);
	for (int verdict = 1; verdict < VERDICT_COUNT; verdict++)
		table->by_verdict[verdict] += row->totals.by_verdict[verdict];
	if (!loaded->complete && row->status != EXIT_UNEXPECTED)
		row->status = EXIT_NOT_JUDGED;
}

static void read_run(struct table *table, struct row *row)
{
	const char *slash = strrchr(table->path, '/');
	struct loaded loaded;
	char *path;

	if (!row->meant || !*row->field[FOLDER])
		return;
	if (asprintf(&path, "%.*s%s", slash ? (int)(slash + 1 - table->path) : 0,
		     table->path, row->field[FOLDER]) < 0)
		return;
	if (load_run(&loaded, path)) {
		take_run(table, row, &loaded);
	} else {
		row->field[NOTE] = "its results cannot be read";
		row->status = EXIT_NOT_JUDGED;
	}
	load_release(&loaded);
	free(path);
}

static void print_titles(const struct table *table)
{
	page_print(TINT_TITLE, "%-24s%6s", "kernel", "pairs");
	for (int verdict = 1; verdict < VERDICT_COUNT; verdict++)
		if (table->by_verdict[verdict])
			page_print(TINT_TITLE, "%8s", verdict_name(verdict));
	page_print(TINT_TITLE, "%8s%12s%8s  %s\n", "all", "unexpected", "time",
		   "folder");
}

static void print_results(const struct table *table, const struct row *row)
{
	long seconds = strtol(row->field[SECONDS], NULL, 10);

	page_print(TINT_NONE, "%-24s%6zu", row->release, row->pairs);
	for (int verdict = 1; verdict < VERDICT_COUNT; verdict++) {
		unsigned int count = row->totals.by_verdict[verdict];

		if (table->by_verdict[verdict])
			page_print(count && verdict_is_bad(verdict) ?
				   TINT_BAD : TINT_NONE, "%8u", count);
	}
	page_print(TINT_NONE, "%8u", row->totals.leaves);
	page_print(row->unexpected ? TINT_BAD : TINT_GOOD, "%12zu",
		   row->unexpected);
	page_print(TINT_NONE, "%5ld:%02ld  %s%s%s\n", seconds / 60,
		   seconds % 60, row->field[FOLDER],
		   *row->field[NOTE] ? ": " : "", row->field[NOTE]);
}

static void print_row(const struct table *table, const struct row *row)
{
	if (row->judged)
		print_results(table, row);
	else
		page_print(row->meant ? TINT_BAD : TINT_WEAK, "%-24s  %s\n",
			   row->field[KERNEL], row->field[NOTE]);
}

/* What was found stands, whatever could not be judged elsewhere. */
static int worse(int one, int other)
{
	static const int order[] = { EXIT_UNEXPECTED, EXIT_USAGE,
				     EXIT_NOT_JUDGED };

	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++)
		if (one == order[i] || other == order[i])
			return order[i];
	return one || other ? EXIT_NOT_JUDGED : EXIT_EXPECTED;
}

static int conclude(const struct table *table)
{
	size_t meant = 0, judged = 0, unexpected = 0;
	int status = EXIT_EXPECTED;

	for (size_t i = 0; i < table->count; i++) {
		const struct row *row = &table->rows[i];

		meant += row->meant;
		judged += row->judged;
		unexpected += row->unexpected;
		if (row->meant)
			status = worse(status, row->status);
	}
	if (!judged)
		status = worse(status, EXIT_NOT_JUDGED);
	page_print(status ? TINT_BAD : TINT_GOOD, "%zu kernel%s of %zu: ",
		   judged, judged == 1 ? "" : "s", meant);
	if (unexpected)
		page_print(TINT_BAD, "%zu unexpected\n", unexpected);
	else
		page_print(status ? TINT_BAD : TINT_GOOD, "nothing unexpected"
			   "%s\n", status ? ", but not all could be judged" : "");
	return status;
}

static int print_table(struct table *table)
{
	table->text = read_text(table->path);
	if (!table->text)
		return fail(table->path, errno ? strerror(errno) : "is empty");
	if (!split_list(table))
		return fail(table->path, "is no list of runs");
	for (size_t i = 0; i < table->count; i++)
		read_run(table, &table->rows[i]);
	print_titles(table);
	for (size_t i = 0; i < table->count; i++)
		print_row(table, &table->rows[i]);
	return conclude(table);
}

static const struct command_option options[] = {
	COMMAND_FLAG("gate", struct table, gate),
	{ .name = NULL },
};

static const struct command_line line = { "cts-report table", help, options,
					  false };

int table_main(int argc, char **argv)
{
	static struct table table;
	int status = command_line_parse(&line, &table, argc, argv);

	if (status >= 0)
		return status;
	if (argc - optind != 1)
		return command_line_refuse(&line, "wants one list");
	table.path = argv[optind];
	status = print_table(&table);
	free(table.text);
	if (fflush(stdout) || ferror(stdout))
		return fail("standard output", "cannot be written");
	return status;
}

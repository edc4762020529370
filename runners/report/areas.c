// SPDX-License-Identifier: GPL-2.0-only
#include "report/areas.h"

#include <stdio.h>
#include <string.h>

#include "report/page.h"

#define PAIR_WIDTH	34

/* As the contract orders them; the last takes what is none of them. */
static const char *const areas[] = {
	"EXP", "LIFE", "ATT", "PIN", "MAP", "SGT", "LOCK", "INV", "REV",
	"FENCE", "P2P", "ERR", "CPU", "UAPI", "EXS", "RDR", "RUM", "NIC",
	"VF", "DRM", "ACCT", "other",
};

#define AREA_COUNT	(sizeof(areas) / sizeof(*areas))

struct cell {
	unsigned int counts[VERDICT_COUNT];
};

struct row {
	struct pair *pair;
	struct cell cells[AREA_COUNT];
	bool notable;
};

struct table {
	struct row *rows;
	size_t count;
	bool used[AREA_COUNT];
};

static size_t area_of(const char *clause)
{
	for (size_t i = 0; i + 1 < AREA_COUNT; i++) {
		size_t length = strlen(areas[i]);

		if (!strncmp(clause, areas[i], length) &&
		    clause[length] == '-')
			return i;
	}
	return AREA_COUNT - 1;
}

static struct row *row_of(struct table *table, const struct pair *pair)
{
	for (size_t i = 0; i < table->count; i++)
		if (table->rows[i].pair == pair)
			return &table->rows[i];
	return NULL;
}

static void count_leaf(struct leaf *leaf, struct test_case *test, void *context)
{
	struct table *table = context;
	struct row *row = row_of(table, test->job->pair);
	size_t area = area_of(leaf->clause);

	row->cells[area].counts[leaf->verdict]++;
	row->notable |= verdict_is_bad(leaf->verdict) ||
			leaf->verdict == VERDICT_WARN || leaf->expected;
	table->used[area] = true;
}

static enum verdict worst_of(const struct cell *cell)
{
	for (int verdict = VERDICT_COUNT - 1; verdict > 0; verdict--)
		if (cell->counts[verdict])
			return verdict;
	return VERDICT_NONE;
}

/* Letter and number of the worst; the number alone where all is well. */
static void print_cell(const struct cell *cell, int width)
{
	static const char letters[VERDICT_COUNT] = {
		[VERDICT_WARN] = 'W', [VERDICT_ERROR] = 'E',
		[VERDICT_TIMEOUT] = 'T', [VERDICT_CRASH] = 'C',
		[VERDICT_FAIL] = 'F',
	};
	enum verdict worst = worst_of(cell);
	unsigned int good = cell->counts[VERDICT_PASS] +
			    cell->counts[VERDICT_VALUE] +
			    cell->counts[VERDICT_REFUSED];
	char text[16] = ".";

	if (letters[worst])
		snprintf(text, sizeof(text), "%c%u", letters[worst],
			 cell->counts[worst]);
	else if (good)
		snprintf(text, sizeof(text), "%u", good);
	else if (worst == VERDICT_SKIP)
		snprintf(text, sizeof(text), "s");
	page_print(worst == VERDICT_WARN ? TINT_WEAK :
		   letters[worst] ? TINT_BAD :
		   good ? TINT_GOOD : TINT_NONE, "%*s", width, text);
}

static int width_of(size_t area)
{
	int width = strlen(areas[area]) + 1;

	return width < 4 ? 4 : width;
}

static void print_head(const struct table *table)
{
	page_print(TINT_TITLE, "%-*s", PAIR_WIDTH, "exporter,importer");
	for (size_t i = 0; i < AREA_COUNT; i++)
		if (table->used[i])
			page_print(TINT_TITLE, "%*s", width_of(i), areas[i]);
	page_print(TINT_NONE, "\n");
}

static void print_row(const struct table *table, const struct row *row)
{
	const char *name = row->pair->name;

	if (strlen(name) > PAIR_WIDTH)
		name = memory_print("%.*s~", PAIR_WIDTH - 1, name);
	page_print(TINT_NONE, "%-*s", PAIR_WIDTH, name);
	for (size_t i = 0; i < AREA_COUNT; i++)
		if (table->used[i])
			print_cell(&row->cells[i], width_of(i));
	page_print(TINT_NONE, "\n");
}

static void print_rows(const struct table *table, size_t rows_max)
{
	size_t notable = 0, plain, left_out = 0;

	for (size_t i = 0; i < table->count; i++)
		notable += table->rows[i].notable;
	if (notable > rows_max)
		notable = rows_max;
	plain = rows_max - notable;

	for (size_t i = 0; i < table->count; i++) {
		const struct row *row = &table->rows[i];
		size_t *room = row->notable ? &notable : &plain;

		if (*room) {
			(*room)--;
			print_row(table, row);
		} else {
			left_out++;
		}
	}
	if (left_out)
		page_print(TINT_NONE, "... and %zu more pairs (run.json has "
			   "them all)\n", left_out);
}

void areas_print(const struct run *run, size_t rows_max)
{
	struct table table = {
		.rows = memory_get(run->pairs.count * sizeof(struct row)),
	};

	for_list(struct pair *, pair, &run->pairs)
		table.rows[table.count++].pair = pair;
	run_visit_leaves(run, count_leaf, &table);
	print_head(&table);
	print_rows(&table, rows_max);
	page_print(TINT_NONE, "number: good verdicts; F fail, C crash, "
		   "T timeout, E error, W warn and how many; s all skipped\n");
}

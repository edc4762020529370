// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/grid.h"

#include <stdlib.h>
#include <string.h>

#include "matrix/paragraph.h"
#include "stream/text.h"

/* Facts that tell what to expect of a driver, in few words. */
static const char *const telling[] = {
	"Attach", "Notify", "Pin", "Peer-to-peer", "Revocable",
};

static const char *describe_role(const struct fact_role *role)
{
	const char *text = role->what ? memory_print("%s: ", role->what) : "";
	const char *comma = "";

	for (size_t i = 0; i < sizeof(telling) / sizeof(*telling); i++) {
		const char *value = paragraph_text(role->paragraph, telling[i]);

		if (!value)
			continue;
		text = memory_print("%s%s%s %.*s", text, comma, telling[i],
				    (int)strcspn(value, ";"), value);
		comma = ", ";
	}
	return text;
}

static const char *describe(const struct fact *fact, const char *role,
			    const char *series)
{
	const char *text = NULL;

	if (!fact)
		return NULL;
	for_list(const struct fact_role *, known, &fact->roles) {
		if (strcmp(known->role, role) ||
		    !fact_role_holds(known, series))
			continue;
		text = text ? memory_print("%s. %s", text,
					   describe_role(known)) :
			      describe_role(known);
	}
	return text;
}

static void find_unknown_clauses(struct grid *grid, const json_t *clauses)
{
	const char *clause;
	json_t *entry;

	json_object_foreach((json_t *)clauses, clause, entry)
		columns_get(&grid->columns, clause);
}

static struct row *add_row(struct grid *grid, const struct fact *fact,
			   const char *driver, const char *role,
			   const char *series)
{
	struct row *row = memory_get(sizeof(*row));

	row->driver = driver;
	row->vendor = fact ? fact->vendor : "";
	row->role = role;
	row->series = series;
	row->evidence = "";
	row->origin = ORIGIN_NONE;
	row->fact = fact;
	row->read = describe(fact, role, series);
	list_add(&grid->rows, row);
	return row;
}

static void add_measured(struct grid *grid, const struct list *facts,
			 const json_t *result)
{
	const char *driver = text_member(result, "driver", "?");
	struct row *row = add_row(grid, facts_find(facts, driver), driver,
				  text_member(result, "role", "?"),
				  text_member(result, "series", "?"));

	row->origin = ORIGIN_MEASURED;
	row->evidence = text_member(result, "evidence", "?");
	row->clauses = json_object_get(result, "clauses");
	row->result = result;
	grid->generated |= json_is_true(json_object_get(result, "generated"));
	find_unknown_clauses(grid, row->clauses);
}

/* A driver's row, not that of one that is like it. */
static struct row *find_row(const struct grid *grid, const struct fact *fact,
			    const char *role, const char *series,
			    enum origin origin)
{
	for_list(struct row *, row, &grid->rows)
		if (row->fact == fact && row->origin == origin &&
		    fact_is_driver(fact, row->driver) &&
		    !strcmp(row->role, role) && !strcmp(row->series, series))
			return row;
	return NULL;
}

static void predict(struct grid *grid, struct row *row,
		    const struct prediction *prediction)
{
	columns_get(&grid->columns, prediction->clause);
	json_object_set_new(row->clauses, prediction->clause,
			    json_pack("{s:s s:[{s:s}]}", "verdict",
				      prediction->verdict, "reasons", "text",
				      prediction->reason));
}

static void add_predictions(struct grid *grid, const struct fact *fact,
			    const struct fact_role *role, const char *series)
{
	struct row *row = find_row(grid, fact, role->role, series, ORIGIN_READ);

	if (!role->predictions.count)
		return;
	if (!row) {
		row = add_row(grid, fact, fact->driver, role->role, series);
		row->origin = ORIGIN_READ;
		row->evidence = "source";
		row->clauses = memory_hold(json_object());
		json_decref(row->clauses);
	}
	for_list(const struct prediction *, prediction, &role->predictions)
		predict(grid, row, prediction);
}

/* A driver that takes no part has no row that could ever be filled. */
static bool takes_part(const struct fact_role *role)
{
	const char *attach = paragraph_text(role->paragraph, "Attach");

	return attach && strncmp(attach, "none", 4);
}

static void add_unmeasured(struct grid *grid, const struct fact *fact,
			   const struct fact_role *role, const char *series)
{
	if (takes_part(role) &&
	    !find_row(grid, fact, role->role, series, ORIGIN_MEASURED) &&
	    !find_row(grid, fact, role->role, series, ORIGIN_NONE))
		add_row(grid, fact, fact->driver, role->role, series);
	add_predictions(grid, fact, role, series);
}

static int compare_rows(const void *one, const void *other)
{
	const struct row *a = *(const struct row *const *)one;
	const struct row *b = *(const struct row *const *)other;
	int order = strcasecmp(a->driver, b->driver);

	if (!order)
		order = strcmp(a->role, b->role);
	if (!order)
		order = strverscmp(a->series, b->series);
	if (!order)
		order = a->origin - b->origin;
	return order ?: strcmp(a->evidence, b->evidence);
}

void grid_fill(struct grid *grid, const struct list *facts,
	       const struct list *records)
{
	for_list(const json_t *, result, records)
		add_measured(grid, facts, result);
	for_list(const struct fact *, fact, facts)
		for_list(const struct fact_role *, role, &fact->roles)
			for_list(const char *, series, &role->kernels)
				add_unmeasured(grid, fact, role, series);
	qsort(grid->rows.items, grid->rows.count, sizeof(*grid->rows.items),
	      compare_rows);
}

const char *origin_name(enum origin origin)
{
	static const char *const names[] = {
		[ORIGIN_MEASURED] = "measured",
		[ORIGIN_READ] = "read",
		[ORIGIN_NONE] = "",
	};

	return names[origin];
}

enum verdict row_verdict(const struct row *row, const struct check *check)
{
	json_t *entry = json_object_get(row->clauses, check->id);

	return verdict_find(text_member(entry, "verdict", NULL));
}

enum verdict row_worst(const struct row *row, const struct column *column)
{
	enum verdict worst = VERDICT_NONE;

	for_list(const struct check *, check, &column->checks)
		worst = verdict_worse(worst, row_verdict(row, check));
	return worst;
}

const char *row_reason(const struct row *row, const struct check *check)
{
	json_t *entry = json_object_get(row->clauses, check->id);
	json_t *first = json_array_get(json_object_get(entry, "reasons"), 0);

	return text_member(first, "text", "");
}

struct tally row_tally(const struct row *row, const struct group *group)
{
	struct tally tally = { 0 };

	for_list(const struct column *, column, &group->columns) {
		enum verdict verdict = row_worst(row, column);

		tally.by_verdict[verdict]++;
		tally.run += verdict != VERDICT_NONE;
		tally.worst = verdict_worse(tally.worst, verdict);
	}
	return tally;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/columns.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "stream/text.h"

#define GROUP_OF_OTHERS	"other"

/* What runs add to the table, and dmabuf-cts-results(5) describes. */
static const struct {
	const char *id;
	const char *text;
} added[] = {
	{ "KLOG", "The kernel does not warn, nor worse, while a case runs." },
};

static struct group *group_of(struct columns *columns, const char *name,
			      const char *title)
{
	struct group *group;

	for_list(struct group *, known, &columns->groups)
		if (!strcmp(known->name, name))
			return known;
	group = memory_get(sizeof(*group));
	group->name = name;
	group->title = title;
	list_add(&columns->groups, group);
	return group;
}

static struct column *add_column(struct columns *columns, const char *group,
				 const char *title, const char *clause,
				 const char *text)
{
	struct column *column = memory_get(sizeof(*column));

	column->clause = clause;
	column->text = text;
	list_add(&group_of(columns, group, title)->columns, column);
	return column;
}

static struct check *add_check(struct columns *columns, struct column *column,
			       const char *id)
{
	struct check *check = memory_get(sizeof(*check));

	check->id = id;
	check->party = "";
	check->strength = "";
	check->text = column->text;
	check->number = columns->checks.count;
	list_add(&columns->checks, check);
	list_add(&column->checks, check);
	return check;
}

static void take_clause(struct columns *columns, const json_t *clause)
{
	struct column *column = add_column(columns,
					   text_member(clause, "group", "?"),
					   text_member(clause, "title", ""),
					   text_member(clause, "clause", "?"),
					   text_member(clause, "text", ""));
	json_t *entry;
	size_t i;

	column->dispute = text_member(clause, "dispute", NULL);
	json_array_foreach(json_object_get(clause, "checks"), i, entry) {
		struct check *check = add_check(columns, column,
			text_member(entry, "clause", "?"));

		check->party = text_member(entry, "party", "");
		check->strength = text_member(entry, "strength", "");
		check->text = text_member(entry, "text", "");
	}
}

bool columns_load(struct columns *columns, const char *path)
{
	json_error_t error;
	json_t *clauses = json_load_file(path, 0, &error);
	json_t *clause;
	size_t i;

	if (!json_is_array(clauses)) {
		fprintf(stderr, "cts-matrix: %s is no clause table: %s\n", path,
			clauses ? "it holds no array" : error.text);
		json_decref(clauses);
		return false;
	}
	memory_hold(clauses);
	json_array_foreach(clauses, i, clause)
		take_clause(columns, clause);
	json_decref(clauses);
	return true;
}

const struct check *columns_find(const struct columns *columns, const char *id)
{
	for_list(const struct check *, check, &columns->checks)
		if (!strcmp(check->id, id))
			return check;
	return NULL;
}

const struct check *columns_get(struct columns *columns, const char *id)
{
	const struct check *check = columns_find(columns, id);
	const char *text = "This clause is not in the table of this version.";

	for (size_t i = 0; i < sizeof(added) / sizeof(*added); i++)
		if (!strcmp(added[i].id, id))
			text = added[i].text;
	if (check)
		return check;
	id = memory_copy(id);
	return add_check(columns, add_column(columns, GROUP_OF_OTHERS,
					     "what is not in the table",
					     id, text), id);
}

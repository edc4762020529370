// SPDX-License-Identifier: GPL-2.0-only
/*
 * The matrix as one page that needs nothing else. What the table shows goes
 * into it as data, for the page's own script; facts are plain text in it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "matrix/field.h"
#include "matrix/paragraph.h"
#include "matrix/render.h"
#include "matrix/standing.h"
#include "stream/text.h"

/* A letter for each verdict, as script.js reads them. */
static const char letters[VERDICT_COUNT] = {
	[VERDICT_NONE] = '.',	[VERDICT_SKIP] = 's',	[VERDICT_PASS] = 'p',
	[VERDICT_VALUE] = 'v',	[VERDICT_REFUSED] = 'r', [VERDICT_WARN] = 'w',
	[VERDICT_ERROR] = 'e',	[VERDICT_TIMEOUT] = 't', [VERDICT_CRASH] = 'c',
	[VERDICT_FAIL] = 'f',
};

/* Texts that many cells have in common are in the page once. */
struct texts {
	json_t *list;
	json_t *places;		/* by text */
};

static json_t *place_of(struct texts *texts, const char *text)
{
	json_t *place = json_object_get(texts->places, text);

	if (!place) {
		place = json_integer(json_array_size(texts->list));
		json_object_set_new(texts->places, text, place);
		json_array_append_new(texts->list, json_string(text));
	}
	return json_incref(place);
}

static json_t *groups_of(const struct columns *columns)
{
	json_t *list = json_array();
	size_t first = 0;

	for_list(const struct group *, group, &columns->groups) {
		json_array_append_new(list,
			json_pack("[s s I I]", group->name, group->title,
				  (json_int_t)first,
				  (json_int_t)group->columns.count));
		first += group->columns.count;
	}
	return list;
}

/* Columns name their checks by number: one of a later run may stand apart. */
static json_t *columns_of(const struct columns *columns)
{
	json_t *list = json_array();

	for_list(const struct group *, group, &columns->groups)
		for_list(const struct column *, column, &group->columns) {
			json_t *checks = json_array();

			for_list(const struct check *, check, &column->checks)
				json_array_append_new(checks,
					json_integer(check->number));
			json_array_append_new(list,
				json_pack("[s s o]", column->clause,
					  column->text, checks));
		}
	return list;
}

static json_t *checks_of(const struct columns *columns)
{
	json_t *list = json_array();

	for_list(const struct check *, check, &columns->checks)
		json_array_append_new(list, json_pack("[s s s s]", check->id,
						      check->strength,
						      check->party,
						      check->text));
	return list;
}

static json_t *cells_of(const struct row *row, const struct columns *columns)
{
	char *cells = memory_get(columns->checks.count + 1);

	for_list(const struct check *, check, &columns->checks)
		cells[check->number] = letters[row_verdict(row, check)];
	return json_string(cells);
}

/* [text, case, pair, what is known of it] by their places; 0 is no text. */
static json_t *reason_of(const json_t *reason, struct texts *texts)
{
	static const char *const members[] = { "text", "case", "pair",
					       "known" };
	json_t *list = json_array();

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		json_array_append_new(list, place_of(texts,
			text_member(reason, members[i], "")));
	return list;
}

static json_t *entry_of(const json_t *entry, struct texts *texts)
{
	json_t *reasons = json_object_get(entry, "reasons");
	json_t *more = json_object_get(entry, "more");
	json_t *list = json_array();
	json_t *reason;
	size_t i;

	json_array_foreach(reasons, i, reason)
		json_array_append_new(list, reason_of(reason, texts));
	if (more)
		json_array_append(list, more);
	if (json_is_true(json_object_get(entry, "peers_only")))
		json_array_append_new(list, json_true());
	return list;
}

static json_t *reasons_of(const struct row *row, const struct columns *columns,
			  struct texts *texts)
{
	json_t *reasons = json_object();

	for_list(const struct check *, check, &columns->checks) {
		json_t *entry = json_object_get(row->clauses, check->id);
		json_t *list = entry_of(entry, texts);

		if (json_array_size(list))
			json_object_set(reasons, memory_print("%zu", check->number),
					list);
		json_decref(list);
	}
	return reasons;
}

/* The profile that is met, and what keeps from the next. */
static json_t *standing_as_json(const struct row *row, const json_t *profiles)
{
	struct standing standing = standing_of(row, profiles);

	return standing.known ? json_pack("[s s]", standing_met(&standing),
					  standing_next(&standing)) : NULL;
}

static json_t *row_of(const struct row *row, const struct columns *columns,
		      const json_t *profiles, struct texts *texts)
{
	const json_t *result = row->result;
	json_t *incidents = json_object_get(result, "incidents");

	return json_pack("{s:s s:s s:s s:s s:s s:s s:o s:o s:s? s:s? s:s? s:s? s:s? s:O? s:o*}",
		"driver", row->driver, "vendor", row->vendor,
		"role", row->role, "kernel", row->series,
		"origin", origin_name(row->origin), "evidence", row->evidence,
		"cells", cells_of(row, columns),
		"why", reasons_of(row, columns, texts),
		"fact", row->fact ? row->fact->driver : NULL,
		"read", row->read,
		"release", text_member(result, "kernel", NULL),
		"suite", text_member(result, "suite", NULL),
		"iommu", text_member(result, "iommu", NULL),
		"incidents", json_array_size(incidents) ? incidents : NULL,
		"profile", standing_as_json(row, profiles));
}

static json_t *data_of(const struct rendering *rendering)
{
	const struct grid *grid = rendering->grid;
	struct texts texts = { json_array(), json_object() };
	json_t *rows = json_array();
	json_t *data;

	json_decref(place_of(&texts, ""));
	for_list(const struct row *, row, &grid->rows)
		json_array_append_new(rows, row_of(row, &grid->columns,
						   rendering->profiles,
						   &texts));
	data = json_pack("{s:b s:o s:o s:o s:o s:o}",
			 "generated", grid->generated,
			 "groups", groups_of(&grid->columns),
			 "columns", columns_of(&grid->columns),
			 "checks", checks_of(&grid->columns),
			 "texts", texts.list, "rows", rows);
	json_decref(texts.places);
	return data;
}

/* No text of anybody's may end the element that the data are in. */
static void put_data(const struct rendering *rendering, FILE *out)
{
	json_t *data = data_of(rendering);
	char *text = json_dumps(data, JSON_COMPACT);

	for (const char *c = text ?: "{}"; *c; c++) {
		if (*c == '<')
			fputs("\\u003c", out);
		else
			fputc(*c, out);
	}
	free(text);
	json_decref(data);
}

static void print_text(FILE *out, const char *text)
{
	static const char *const entities[256] = {
		['<'] = "&lt;", ['>'] = "&gt;", ['&'] = "&amp;",
		['"'] = "&quot;", ['\''] = "&#39;",
	};

	for (; *text; text++) {
		const char *entity = entities[(unsigned char)*text];

		if (entity)
			fputs(entity, out);
		else
			fputc(*text, out);
	}
}

static void print_field(const json_t *paragraph, const struct field *field,
			FILE *out)
{
	if (!paragraph_lines(paragraph, field->name))
		return;
	fprintf(out, "<dt>%s</dt><dd>", field->name);
	field_print(paragraph, field, "<br>", print_text, out);
	fputs("</dd>", out);
}

static void print_fields(const json_t *paragraph, const struct field *fields,
			 size_t count, FILE *out)
{
	fputs("<dl>", out);
	for (size_t i = 0; i < count; i++)
		print_field(paragraph, &fields[i], out);
	fputs("</dl>\n", out);
}

static void print_role(const struct fact_role *role, FILE *out)
{
	size_t count;
	const struct field *fields = fields_of_role(&count);

	fprintf(out, "<h4>%s", role->role);
	if (role->what) {
		fputs(", ", out);
		print_text(out, role->what);
	}
	fputs("</h4>", out);
	/* Role and What, the first two, are the heading. */
	print_fields(role->paragraph, fields + 2, count - 2, out);
}

static void print_fact(const struct fact *fact, FILE *out)
{
	size_t count;
	const struct field *fields = fields_of_driver(&count);

	fputs("<details class=fact id=\"facts-", out);
	print_text(out, fact->driver);
	fputs("\"><summary>", out);
	print_text(out, fact->driver);
	fputs(" <small>", out);
	print_text(out, fact->vendor);
	fputs("</small></summary>", out);
	print_fields(fact->paragraph, fields + 1, count - 1, out);
	for_list(const struct fact_role *, role, &fact->roles)
		print_role(role, out);
	fputs("</details>\n", out);
}

static void put_facts(const struct rendering *rendering, FILE *out)
{
	for_list(const struct fact *, fact, rendering->facts)
		print_fact(fact, out);
}

/* A whole file, held until memory_release(); NULL after a message. */
static const char *read_file(const char *folder, const char *name)
{
	const char *path = memory_print("%s/%s", folder, name);
	FILE *file = fopen(path, "re");
	char *text = NULL;
	size_t room = 0;
	const char *copy = NULL;

	if (file && getdelim(&text, &room, '\0', file) >= 0)
		copy = memory_copy(text);
	else
		fprintf(stderr, "cts-matrix: cannot read %s: %s\n", path,
			strerror(errno));
	free(text);
	if (file)
		fclose(file);
	return copy;
}

static void put_banner(const struct rendering *rendering, FILE *out)
{
	if (rendering->grid->generated)
		fputs("<p class=generated role=alert>Results on this page were generated for a test. No driver was run.</p>",
		      out);
}

/* What stands for "{{name}}" in page.html. */
static const struct {
	const char *name;
	const char *file;	/* of the page's folder, or NULL */
	void (*put)(const struct rendering *rendering, FILE *out);
} parts[] = {
	{ "style", "style.css", NULL },
	{ "script", "script.js", NULL },
	{ "data", NULL, put_data },
	{ "facts", NULL, put_facts },
	{ "banner", NULL, put_banner },
};

static bool put_part(const struct rendering *rendering, const char *name,
		     size_t length, FILE *out)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		const char *text = "";

		if (strncmp(parts[i].name, name, length) ||
		    parts[i].name[length])
			continue;
		if (parts[i].file)
			text = read_file(rendering->page, parts[i].file);
		if (!text)
			return false;
		fputs(text, out);
		if (parts[i].put)
			parts[i].put(rendering, out);
		return true;
	}
	fprintf(stderr, "cts-matrix: page.html wants a part that there is not: %.*s\n",
		(int)length, name);
	return false;
}

bool render_html(const struct rendering *rendering, FILE *out)
{
	const char *page = read_file(rendering->page, "page.html");
	const char *part, *end;

	if (!page)
		return false;
	while ((part = strstr(page, "{{")) && (end = strstr(part, "}}"))) {
		fwrite(page, 1, part - page, out);
		if (!put_part(rendering, part + 2, end - part - 2, out))
			return false;
		page = end + 2;
	}
	fputs(page, out);
	return true;
}

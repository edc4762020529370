// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "bundle/check.h"
#include "bundle/wrong.h"
#include "report/verdict.h"
#include "stream/text.h"

/* So that a wholly different file does not fill the screen. */
#define FAULTS_SHOWN	10

/* A result line without its number: "ok", "not ok" or "skip", and the name. */
struct line {
	const char *result;
	const char *name;
};

struct format {
	const char *file;
	const char *indent;	/* of leaves */
	const char *mark;	/* before the name */
};

static const struct format formats[] = {
	{ "run.tap", "", "- " },
	{ "run.ktap", "    ", "" },
};

static const char *result_of(const json_t *leaf)
{
	enum verdict verdict = verdict_find(text_member(leaf, "verdict", ""));

	if (verdict_is_bad(verdict))
		return "not ok";
	return verdict_is_skip(verdict) ? "skip" : "ok";
}

/* "ok 12 - NAME # SKIP why"; false for what is no result. */
static bool parse(struct line *line, const struct format *format,
		  const char *text, size_t length)
{
	const char *whole = memory_print("%.*s", (int)length, text);
	const char *directive = strstr(whole, " # ");
	bool bad = !strncmp(whole, "not ", 4);
	const char *at = whole + (bad ? 4 : 0);

	if (strncmp(at, "ok ", 3))
		return false;
	at += 3 + strspn(at + 3, "0123456789 ");
	if (!strncmp(at, format->mark, strlen(format->mark)))
		at += strlen(format->mark);
	line->result = bad ? "not ok" :
		       directive && !strncmp(directive, " # SKIP", 7) ?
		       "skip" : "ok";
	line->name = directive ? memory_print("%.*s", (int)(directive - at), at) :
		     at;
	return true;
}

static void read_lines(struct list *lines, const struct format *format,
		       const struct file *file)
{
	size_t indent = strlen(format->indent);

	for (const char *text = file->data; *text;) {
		size_t length = strcspn(text, "\n");
		struct line *line = memory_get(sizeof(*line));

		if (length > indent && !strncmp(text, format->indent, indent) &&
		    text[indent] != ' ' &&
		    parse(line, format, text + indent, length - indent))
			list_add(lines, line);
		text += length;
		text += *text == '\n';
	}
}

static const char *name_in(const struct format *format, const json_t *leaf)
{
	const char *clause = text_member(leaf, "clause", "?");

	if (*format->indent)
		return clause;
	return memory_print("%s,%s %s.%s %s", text_member(leaf, "exporter", "?"),
			    text_member(leaf, "importer", "?"),
			    text_member(leaf, "program", "?"),
			    text_member(leaf, "case", "?"), clause);
}

static void compare(const struct checked *checked, const struct format *format,
		    const struct list *lines)
{
	json_t *leaves = json_object_get(checked->run, "leaves");
	size_t faults = 0;
	json_t *leaf;
	size_t i;

	if (lines->count != json_array_size(leaves)) {
		wrong("%s: it has %zu results, run.json has %zu", format->file,
		      lines->count, json_array_size(leaves));
		return;
	}
	json_array_foreach(leaves, i, leaf) {
		const struct line *line = lines->items[i];

		if (!strcmp(line->result, result_of(leaf)) &&
		    !strcmp(line->name, name_in(format, leaf)))
			continue;
		if (faults++ < FAULTS_SHOWN)
			wrong("%s: result %zu is '%s %s', in run.json it is '%s %s'",
			      format->file, i + 1, line->result, line->name,
			      result_of(leaf), name_in(format, leaf));
	}
	if (faults > FAULTS_SHOWN)
		wrong("%s: and %zu more of that kind", format->file,
		      faults - FAULTS_SHOWN);
}

void check_ktap(const struct checked *checked)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		const struct file *file = files_find(checked->files,
						     formats[i].file);
		struct list lines = { 0 };

		if (!file) {
			wrong("%s: it is missing", formats[i].file);
			continue;
		}
		read_lines(&lines, &formats[i], file);
		compare(checked, &formats[i], &lines);
	}
}

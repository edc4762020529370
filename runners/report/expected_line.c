// SPDX-License-Identifier: GPL-2.0-only
#include "report/expected_line.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#define BLANKS	" \t\r\n"

static bool complain(const struct expected_line *line, const char *what,
		     const char *word)
{
	fprintf(stderr, "%s:%d: %s%s%s\n", line->file, line->number, what,
		word ? ": " : "", word ?: "");
	return false;
}

static char *trimmed(char *text)
{
	char *end;

	text += strspn(text, BLANKS);
	end = text + strlen(text);
	while (end > text && strchr(BLANKS, end[-1]))
		*--end = '\0';
	return text;
}

static bool parse_verdicts(struct expected_line *line, char *text)
{
	char *rest;

	line->verdicts = memory_copy(text);
	for (char *word = strtok_r(text, "/", &rest); word;
	     word = strtok_r(NULL, "/", &rest)) {
		enum verdict verdict = verdict_find(word);

		if (verdict == VERDICT_NONE)
			return complain(line, "no such verdict", word);
		line->allows[verdict] = true;
	}
	return true;
}

static bool parse_result(struct expected_line *line, char *text)
{
	char *rest;
	char *clause = strtok_r(text, BLANKS, &rest);
	char *title = strtok_r(NULL, BLANKS, &rest);
	char *verdicts = strtok_r(NULL, BLANKS, &rest);
	char *value = verdicts ? trimmed(rest) : NULL;

	if (!verdicts)
		return complain(line, "wants CLAUSE PROGRAM.CASE VERDICT | "
				"REASON ...", NULL);
	line->clause = memory_copy(clause);
	line->title = memory_copy(title);
	if (!parse_verdicts(line, verdicts))
		return false;
	if (value && *value) {
		if (strcmp(line->verdicts, "value"))
			return complain(line, "only \"value\" is followed by "
					"a text", value);
		line->value = memory_copy(value);
	}
	return true;
}

bool expected_line_parse(struct expected_line *line, char *text)
{
	char *bar = strchr(text, '|');
	char *reason;

	if (!bar)
		return complain(line, "has no reason (a '|' and a bug's "
				"address or a reason)", NULL);
	*bar = '\0';
	reason = bar + 1;
	reason[strcspn(reason, "|")] = '\0';
	reason = trimmed(reason);
	if (!*reason)
		return complain(line, "has an empty reason", NULL);
	line->reason = memory_copy(reason);
	if (!parse_result(line, text))
		return false;
	line->strict = strcmp(line->exporter, "any") &&
		       strcmp(line->importer, "any") &&
		       !strpbrk(line->clause, "*?[") &&
		       !strpbrk(line->title, "*?[");
	return true;
}

/* "drm" stands for drm:vgem and every other instance. */
static bool names(const char *word, const char *selector)
{
	size_t length = strlen(word);

	return !strcmp(word, "any") ||
	       (!strncmp(selector, word, length) &&
		(selector[length] == '\0' || selector[length] == ':'));
}

bool expected_line_is_about(const struct expected_line *line,
			    const struct pair *pair)
{
	return names(line->exporter, pair->exporter) &&
	       names(line->importer, pair->importer);
}

bool expected_line_is_of_case(const struct expected_line *line,
			      const char *title)
{
	return !fnmatch(line->title, title, 0);
}

bool expected_line_matches(const struct expected_line *line,
			   const struct pair *pair, const char *title,
			   const char *clause)
{
	return expected_line_is_about(line, pair) &&
	       !fnmatch(line->clause, clause, 0) &&
	       expected_line_is_of_case(line, title);
}

bool expected_line_allows(const struct expected_line *line,
			  const struct leaf *leaf)
{
	return line->allows[leaf->verdict] &&
	       (!line->value || !strcmp(line->value, leaf->value));
}

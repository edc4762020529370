// SPDX-License-Identifier: GPL-2.0-only
#include "report/expected_line.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "report/kernel_version.h"

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

/* "BAD/RUNS" */
static bool parse_rate(struct expected_line *line, const char *text)
{
	struct flake_rate *rate = &line->rate;
	int length = 0;

	if (sscanf(text, "%7u/%7u%n", &rate->bad, &rate->runs, &length) < 2 ||
	    text[length] || !rate->runs || rate->bad > rate->runs)
		return complain(line, "a flake's rate is BAD/RUNS, such as "
				"3/20", text);
	return true;
}

/* What is between double quotes, if they are all there is; or NULL. */
static const char *quoted(const char *text)
{
	size_t length = strlen(text);

	if (length < 2 || text[0] != '"' || text[length - 1] != '"')
		return NULL;
	return memory_print("%.*s", (int)length - 2, text + 1);
}

/* What follows the verdict. */
static bool parse_text(struct expected_line *line, const char *text)
{
	if (expected_line_is_flake(line))
		return parse_rate(line, text);
	if (!strcmp(line->verdicts, "value"))
		line->value = memory_copy(text);
	else if (verdict_is_bad(verdict_find(line->verdicts)))
		line->said = quoted(text);
	return line->value || line->said ||
	       complain(line, "only \"value\" is followed by a text, a failure "
			"by a pattern of its reason, in double quotes, and a "
			"flake by its rate", text);
}

static bool parse_result(struct expected_line *line, char *text)
{
	char *rest;
	char *clause = strtok_r(text, BLANKS, &rest);
	char *title = strtok_r(NULL, BLANKS, &rest);
	char *verdicts = strtok_r(NULL, BLANKS, &rest);
	char *more = verdicts ? trimmed(rest) : NULL;

	if (!verdicts)
		return complain(line, "wants CLAUSE PROGRAM.CASE VERDICT | "
				"REASON ...", NULL);
	line->clause = memory_copy(clause);
	line->title = memory_copy(title);
	return parse_verdicts(line, verdicts) &&
	       (!*more || parse_text(line, more));
}

/* A field that may be missing, or "-". */
static const char *optional_field(char **rest)
{
	char *text = *rest ? trimmed(strsep(rest, "|")) : NULL;

	return text && *text && strcmp(text, "-") ? memory_copy(text) : NULL;
}

static bool check_kernel(const struct expected_line *line, const char *kernel)
{
	struct kernel_version version;

	return !kernel || kernel_version_parse(&version, kernel) ||
	       complain(line, "that is no version of a kernel", kernel);
}

static bool parse_fields(struct expected_line *line, char *text)
{
	char *rest = text;
	char *reason = trimmed(strsep(&rest, "|"));

	if (!*reason)
		return complain(line, "has an empty reason", NULL);
	line->reason = memory_copy(reason);
	line->first = optional_field(&rest);
	line->fixed = optional_field(&rest);
	line->found_by = optional_field(&rest);
	if (rest)
		return complain(line, "has more fields than REASON | FIRST "
				"KERNEL | FIXED IN | FOUND BY", trimmed(rest));
	return check_kernel(line, line->first) &&
	       check_kernel(line, line->fixed);
}

bool expected_line_parse(struct expected_line *line, char *text)
{
	char *bar = strchr(text, '|');

	if (!bar)
		return complain(line, "has no reason (a '|' and a bug's "
				"address or a reason)", NULL);
	*bar = '\0';
	if (!parse_fields(line, bar + 1) || !parse_result(line, text))
		return false;
	line->strict = strcmp(line->exporter, "any") &&
		       strcmp(line->importer, "any") &&
		       !strpbrk(line->clause, "*?[") &&
		       !strpbrk(line->title, "*?[");
	return true;
}

const char *expected_line_print(const struct expected_line *line)
{
	const char *more = line->value ?: expected_line_said(line) ?:
			   expected_line_rate(line);
	const char *text = memory_print("%s %s %s%s%s | %s", line->clause,
		line->title, line->verdicts, *more ? " " : "", more,
		line->reason);

	if (!line->first && !line->fixed && !line->found_by)
		return text;
	return memory_print("%s | %s | %s | %s", text, line->first ?: "-",
			    line->fixed ?: "-", line->found_by ?: "-");
}

bool expected_line_is_flake(const struct expected_line *line)
{
	return strchr(line->verdicts, '/');
}

const char *expected_line_said(const struct expected_line *line)
{
	return line->said ? memory_print("\"%s\"", line->said) : NULL;
}

const char *expected_line_rate(const struct expected_line *line)
{
	return line->rate.runs ? memory_print("%u/%u", line->rate.bad,
					      line->rate.runs) : "";
}

/* That it was first seen on some kernel says nothing of those before. */
bool expected_line_holds(const struct expected_line *line, const char *kernel)
{
	struct kernel_version fixed, running;

	return !line->fixed ||
	       !kernel_version_parse(&running, kernel) ||
	       !kernel_version_parse(&fixed, line->fixed) ||
	       kernel_version_compare(&running, &fixed) < 0;
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
	       (!line->value || !strcmp(line->value, leaf->value)) &&
	       (!line->said || !fnmatch(line->said, leaf->reason ?: "", 0));
}

bool expected_line_allows_leak(const struct expected_line *line,
			       const char *leak)
{
	return !strcmp(line->clause, "LEAK") && line->said &&
	       !fnmatch(line->said, leak, 0);
}

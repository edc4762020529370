// SPDX-License-Identifier: GPL-2.0-only
#include "report/ksft.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "report/judge.h"
#include "stream/text.h"

#define NAME_SIZE	256

/* If @line begins with @word, what follows it; else NULL. */
static const char *after(const char *line, const char *word)
{
	size_t length = strlen(word);

	return strncmp(line, word, length) ? NULL : line + length;
}

/* "12 pair.name # SKIP why": the last part of the name. */
static bool read_name(const char *rest, char name[NAME_SIZE])
{
	char whole[NAME_SIZE];
	const char *dot;

	if (sscanf(rest, "%*u %255s", whole) != 1 || !isdigit((unsigned char)*rest))
		return false;
	dot = strrchr(whole, '.');
	snprintf(name, NAME_SIZE, "%s", dot ? dot + 1 : whole);
	return dot;
}

static bool is_inapplicable(const struct job *job, const char *name)
{
	json_t *entry;
	size_t i;

	json_array_foreach(job->inapplicable, i, entry)
		if (!strcmp(text_member(entry, "case", ""), name))
			return true;
	return false;
}

static void take_result(struct run *run, struct job *job, const char *name,
			enum ktap_result result, const char *reason)
{
	struct test_case *test = job_find_case(job, name);

	if (!test) {
		if (result != RESULT_SKIP || !is_inapplicable(job, name))
			job_add_leaf(job, VERDICT_ERROR, memory_print(
				"the program's KTAP has a case %s, its records "
				"do not", name));
		return;
	}
	if (test->judged) {
		run_complain(run, "job %d: a KTAP line of case %s came late",
			     job->number, name);
		return;
	}
	test->result = result;
	test->result_reason = memory_copy(reason);
}

static void take_result_line(struct run *run, struct job *job,
			     const char *rest, bool good)
{
	const char *skip = strstr(rest, "# SKIP");
	char name[NAME_SIZE];

	if (!read_name(rest, name))
		return;
	if (skip)
		take_result(run, job, name, RESULT_SKIP, skip + 6);
	else
		take_result(run, job, name, good ? RESULT_OK : RESULT_NOT_OK,
			    NULL);
}

/* "# name: Test terminated ...": how the harness tells of a case's death. */
static void take_death(struct job *job, const char *rest)
{
	const char *colon = strstr(rest, ": Test terminated ");
	struct test_case *test;
	char name[NAME_SIZE];

	if (!colon || colon - rest >= NAME_SIZE)
		return;
	snprintf(name, sizeof(name), "%.*s", (int)(colon - rest), rest);
	test = job_find_case(job, name);
	if (!test || test->ended || test->judged)
		return;
	if (strstr(colon, "by timeout"))
		test->death = VERDICT_TIMEOUT;
	else if (strstr(colon, "unexpectedly by signal"))
		test->death = VERDICT_CRASH;
	if (test->death)
		test->death_reason = memory_copy(colon + 2);
}

void ksft_line(struct run *run, struct job *job, const char *line)
{
	const char *rest;

	if ((rest = after(line, "ok ")))
		take_result_line(run, job, rest, true);
	else if ((rest = after(line, "not ok ")))
		take_result_line(run, job, rest, false);
	else if ((rest = after(line, "1..0 # SKIP ")))
		job->skip_reason = memory_copy(rest);
	else if ((rest = after(line, "# ")))
		take_death(job, rest);
}

// SPDX-License-Identifier: GPL-2.0-only
#include "igt/cases.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "igt/exit.h"
#include "igt/follow.h"
#include "igt/voice.h"
#include "stream/text.h"

struct subtest {
	const char *name;
	double began;
	bool open;
	bool over;
	enum result worst;	/* of its clauses */
	enum result death;	/* what the harness said of it */
};

struct following {
	const struct program *program;
	struct subtest *subtests;
	size_t count;
	enum result worst;	/* of all that are over */
	char absent[512];	/* why the program cannot judge at all, or "" */
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

static struct subtest *find(struct following *following, const char *name)
{
	for (size_t i = 0; i < following->count; i++)
		if (!strcmp(following->subtests[i].name, name))
			return &following->subtests[i];
	return NULL;
}

static void begin(struct following *following, struct subtest *subtest)
{
	subtest->open = true;
	subtest->began = now();
	voice_begin(following->program->test, subtest->name);
}

static void end(struct following *following, struct subtest *subtest,
		enum result result)
{
	subtest->open = false;
	subtest->over = true;
	voice_end(subtest->name, result, now() - subtest->began);
	if (result > following->worst)
		following->worst = result;
}

static void take_verdict(struct following *following, struct subtest *subtest,
			 const json_t *record)
{
	const char *verdict = text_member(record, "verdict", "");
	const char *why = text_member(record, "reason", "");
	enum result result = voice_result(verdict);
	char text[1024] = "";

	if (!strcmp(verdict, "value"))
		why = text_member(record, "value", "");
	if (*why || strcmp(verdict, "pass"))
		snprintf(text, sizeof(text), "%s: %s", verdict, why);
	voice_dynamic(following->program->test,
		      text_member(record, "clause", "?"), result, text);
	if (result > subtest->worst)
		subtest->worst = result;
}

static void skip_inapplicable(struct following *following, const json_t *plan)
{
	json_t *entry;
	size_t i;

	json_array_foreach(json_object_get(plan, "inapplicable"), i, entry) {
		struct subtest *subtest =
			find(following, text_member(entry, "case", ""));

		if (!subtest || subtest->over)
			continue;
		begin(following, subtest);
		printf("does not apply to this pair: %s\n",
		       text_member(entry, "reason", ""));
		end(following, subtest, RESULT_SKIP);
	}
}

static void take_case(struct following *following, struct subtest *subtest,
		      const json_t *record)
{
	const char *state = text_member(record, "state", "");

	if (!strcmp(text_member(record, "type", ""), "verdict"))
		take_verdict(following, subtest, record);
	else if (!strcmp(state, "start"))
		begin(following, subtest);
	else if (!strcmp(state, "end"))
		end(following, subtest, subtest->worst ?: RESULT_FAIL);
}

static void take_record(void *context, const char *text, size_t length,
			bool whole)
{
	struct following *following = context;
	json_t *record = whole ? json_loadb(text, length, 0, NULL) : NULL;
	struct subtest *subtest = find(following, text_member(record, "case", ""));

	if (!strcmp(text_member(record, "type", ""), "plan"))
		skip_inapplicable(following, record);
	else if (subtest)
		take_case(following, subtest, record);
	json_decref(record);
}

/* "# NAME: Test terminated by timeout": how the harness tells of a death. */
static void take_output(void *context, const char *text, size_t length,
			bool whole)
{
	struct following *following = context;
	char line[1024], name[256];
	struct subtest *subtest;

	(void)whole;
	snprintf(line, sizeof(line), "%.*s", (int)length, text);
	puts(line);
	sscanf(line, "1..0 # SKIP %511[^\n]", following->absent);
	if (!strstr(line, ": Test terminated ") ||
	    sscanf(line, "# %255[^:]", name) != 1)
		return;
	subtest = find(following, name);
	if (subtest)
		subtest->death = strstr(line, "by timeout") ? RESULT_TIMEOUT :
				 RESULT_CRASH;
}

static void bury(struct following *following)
{
	for (size_t i = 0; i < following->count; i++) {
		struct subtest *subtest = &following->subtests[i];

		if (subtest->over)
			continue;
		if (subtest->open) {
			end(following, subtest, subtest->death ?: RESULT_CRASH);
			continue;
		}
		begin(following, subtest);
		puts(*following->absent ? following->absent :
		     "the program ended before it");
		end(following, subtest,
		    *following->absent ? RESULT_SKIP : RESULT_FAIL);
	}
}

static char **make_arguments(struct program *program, const json_t *cases)
{
	char **arguments = calloc(2 * json_array_size(cases) + 2,
				  sizeof(*arguments));
	static char option[] = "-t";
	json_t *entry;
	size_t i;

	arguments[0] = program->path;
	json_array_foreach(cases, i, entry) {
		arguments[2 * i + 1] = option;
		arguments[2 * i + 2] = (char *)text_member(entry, "case", "");
	}
	return arguments;
}

int cases_run(struct program *program, const json_t *cases)
{
	struct following following = {
		.program = program,
		.subtests = calloc(json_array_size(cases),
				   sizeof(struct subtest)),
		.count = json_array_size(cases),
	};
	char **arguments = make_arguments(program, cases);
	json_t *entry;
	size_t i;

	json_array_foreach(cases, i, entry)
		following.subtests[i].name = text_member(entry, "case", "");
	voice_begin_test(program->name);
	follow(arguments, take_record, take_output, &following);
	bury(&following);
	free(arguments);
	free(following.subtests);
	if (following.worst == RESULT_SKIP)
		return EXIT_IGT_SKIP;
	return following.worst == RESULT_SUCCESS ? EXIT_IGT_SUCCESS :
						   EXIT_IGT_FAILURE;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The programs of IGT GPU Tools. One without subtests is one test, which is
 * called "whole" here; a dynamic subtest is SUBTEST@NAME.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "others/child.h"
#include "others/protocol.h"

#define EXIT_SKIP	77
#define EXIT_INVALID	79	/* also of --list-subtests where there are none */
#define NAME_SIZE	256
#define WHOLE		"whole"

struct igt {
	struct telling *telling;
	char *chosen;		/* subtests for --run-subtest, after commas */
	char subtest[NAME_SIZE];	/* that runs, as IGT names it, or "" */
	json_t *names;		/* ours, of IGT's; absent: not asked for */
	char why[256];		/* the best reason since the last test began */
	size_t rank;		/* of that reason: the less the better */
};

/* How lines begin that say why a test fails or skips; what says most is first. */
static const char *const reasons[] = {
	"No known gpu", "Failed assertion: ", "Received signal ",
	"Test requirement: ", "Test requirement not met", "No dynamic tests",
};

#define REASON_COUNT	(sizeof(reasons) / sizeof(*reasons))

static void forget_reason(struct igt *igt)
{
	*igt->why = '\0';
	igt->rank = REASON_COUNT;
}

static void note_reason(struct igt *igt, const char *line)
{
	for (size_t i = 0; i < igt->rank; i++) {
		const char *found = strstr(line, reasons[i]);

		if (!found)
			continue;
		snprintf(igt->why, sizeof(igt->why), "%.255s", found);
		igt->rank = i;
	}
}

static const char *after(const char *line, const char *word)
{
	size_t length = strlen(word);

	return strncmp(line, word, length) ? NULL : line + length;
}

static void choose(struct igt *igt, const char *name)
{
	const char *ours = telling_add(igt->telling, name);
	char *longer;

	if (!ours)
		return;
	json_object_set_new(igt->names, name, json_string(ours));
	if (asprintf(&longer, "%s,%s", igt->chosen, name) < 0)
		return;
	free(igt->chosen);
	igt->chosen = longer;
}

static void take_name(void *context, const char *text, size_t length,
		      bool whole)
{
	char name[NAME_SIZE];

	snprintf(name, sizeof(name), "%.*s", (int)length, text);
	/* No name: something that a library has to say. */
	if (whole && length && !strchr(name, ' '))
		choose(context, name);
}

/* Ours for one of IGT's; NULL: not asked for. */
static const char *name_of(const struct igt *igt, const char *name)
{
	return json_string_value(json_object_get(igt->names, name));
}

static void begin_dynamic(struct igt *igt, const char *name)
{
	char both[2 * NAME_SIZE];

	if (!name_of(igt, igt->subtest))
		return;
	snprintf(both, sizeof(both), "%s@%.255s", igt->subtest, name);
	if (!name_of(igt, both)) {
		const char *ours = telling_add(igt->telling, both);

		if (ours)
			json_object_set_new(igt->names, both, json_string(ours));
		telling_announce(igt->telling);
	}
	telling_test_begin(igt->telling, name_of(igt, both));
}

static const struct {
	const char *word;
	enum outcome outcome;
} results[] = {
	{ "SUCCESS", OUTCOME_PASS }, { "SKIP", OUTCOME_SKIP },
	{ "FAIL", OUTCOME_FAIL }, { "CRASH", OUTCOME_CRASH },
	{ "TIMEOUT", OUTCOME_TIMEOUT },
};

/* "NAME: RESULT (0.001s)", of a subtest or, in @within, a dynamic one. */
static void take_result(struct igt *igt, const char *text, const char *within)
{
	char name[NAME_SIZE], word[32], both[2 * NAME_SIZE + 1];
	enum outcome outcome = OUTCOME_ODD;

	if (sscanf(text, "%255[^: ]: %31s", name, word) != 2)
		return;
	for (size_t i = 0; i < sizeof(results) / sizeof(*results); i++)
		if (!strcmp(word, results[i].word))
			outcome = results[i].outcome;
	snprintf(both, sizeof(both), "%s%s%s", within, *within ? "@" : "", name);
	telling_test_end(igt->telling, name_of(igt, both), outcome,
			 igt->why);
}

static void take_line(void *context, const char *text, size_t length,
		      bool whole)
{
	struct igt *igt = context;
	char line[4097];
	const char *rest;

	(void)whole;
	snprintf(line, sizeof(line), "%.*s", (int)length, text);
	telling_line(igt->telling, line);
	note_reason(igt, line);
	if ((rest = after(line, "Starting subtest: "))) {
		forget_reason(igt);
		snprintf(igt->subtest, NAME_SIZE, "%.255s", rest);
		telling_test_begin(igt->telling, name_of(igt, rest));
	} else if ((rest = after(line, "Starting dynamic subtest: "))) {
		forget_reason(igt);
		begin_dynamic(igt, rest);
	} else if ((rest = after(line, "Dynamic subtest "))) {
		take_result(igt, rest, igt->subtest);
	} else if ((rest = after(line, "Subtest "))) {
		take_result(igt, rest, "");
	}
}

static int run_subtests(struct igt *igt, char *path)
{
	char option[] = "--run-subtest";
	char *arguments[] = { path, option, igt->chosen + 1, NULL };

	telling_announce(igt->telling);
	return *igt->chosen ? child_run(arguments, take_line, igt) : 0;
}

static int run_whole(struct igt *igt, char *path)
{
	const char *test = telling_add(igt->telling, WHOLE);
	char *arguments[] = { path, NULL };
	enum outcome outcome = OUTCOME_FAIL;
	int status;

	telling_announce(igt->telling);
	if (!test)
		return 0;
	telling_test_begin(igt->telling, test);
	status = child_run(arguments, take_line, igt);
	if (status < 0 || WIFSIGNALED(status))
		return status;
	if (!WEXITSTATUS(status))
		outcome = OUTCOME_PASS;
	else if (WEXITSTATUS(status) == EXIT_SKIP)
		outcome = OUTCOME_SKIP;
	telling_test_end(igt->telling, test, outcome, igt->why);
	return status;
}

int igt_run(struct telling *telling, char *path)
{
	char option[] = "--list-subtests";
	char *arguments[] = { path, option, NULL };
	struct igt igt = { .telling = telling, .chosen = strdup(""),
			   .names = json_object(), .rank = REASON_COUNT };
	int status = child_run(arguments, take_name, &igt);

	if (status == 0) {
		status = run_subtests(&igt, path);
	} else if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_INVALID) {
		status = run_whole(&igt, path);
	} else if (WIFEXITED(status)) {
		errno = EPROTO;
		status = -1;
	}
	free(igt.chosen);
	json_decref(igt.names);
	return status;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "igt/program.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "igt/cases.h"
#include "igt/exit.h"
#include "igt/follow.h"
#include "igt/install.h"
#include "stream/text.h"

bool program_find(struct program *program, const char *called)
{
	size_t length = strlen(TEST_PREFIX);
	char folder[PATH_MAX];
	ssize_t end = readlink("/proc/self/exe", folder, sizeof(folder) - 1);
	const char *slash = strrchr(called, '/');

	program->test = slash ? slash + 1 : called;
	if (end < 0 || strncmp(program->test, TEST_PREFIX, length)) {
		fprintf(stderr, "cts-igt: %s is not called %sPROGRAM: make links with "
			"--install\n", called, TEST_PREFIX);
		return false;
	}
	folder[end] = '\0';
	program->name = program->test + length;
	snprintf(program->path, sizeof(program->path), "%s/%.200s",
		 dirname(folder), program->name);
	if (!access(program->path, X_OK))
		return true;
	fprintf(stderr, "cts-igt: %s: %s\n", program->path, strerror(errno));
	return false;
}

static void take_plan(void *context, const char *text, size_t length, bool whole)
{
	json_t **plan = context;
	json_t *record = whole ? json_loadb(text, length, 0, NULL) : NULL;

	if (!*plan && !strcmp(text_member(record, "type", ""), "plan"))
		*plan = json_incref(json_object_get(record, "cases"));
	json_decref(record);
}

static void ignore(void *context, const char *text, size_t length, bool whole)
{
	(void)context;
	(void)text;
	(void)length;
	(void)whole;
}

json_t *program_plan(struct program *program)
{
	char option[] = "--plan";
	char *arguments[] = { program->path, option, NULL };
	json_t *plan = NULL;

	follow(arguments, ignore, take_plan, &plan);
	if (!plan)
		fprintf(stderr, "cts-igt: %s gave no plan\n", program->path);
	return plan;
}

int program_run(struct program *program, const struct options *options)
{
	json_t *plan = program_plan(program);
	json_t *chosen = json_array();
	int status = EXIT_IGT_INVALID;
	json_t *entry;
	size_t i;

	json_array_foreach(plan, i, entry)
		if (options_choose(options, text_member(entry, "case", "")))
			json_array_append(chosen, entry);
	if (json_array_size(chosen))
		status = cases_run(program, chosen);
	else if (plan)
		fprintf(stderr, "cts-igt: no case of %s was asked for\n",
			program->name);
	json_decref(chosen);
	json_decref(plan);
	return status;
}

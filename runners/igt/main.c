// SPDX-License-Identifier: GPL-2.0-only
/*
 * cts-igt: has igt_runner take a conformance program for a test of IGT. It is
 * called by a link that names the program.
 */
#include <stdio.h>

#include "igt/exit.h"
#include "igt/install.h"
#include "igt/options.h"
#include "igt/program.h"
#include "stream/text.h"

static void describe(const json_t *entry)
{
	json_t *clause;
	size_t i;

	printf("SUB %s:\n  Judges", text_member(entry, "case", ""));
	json_array_foreach(json_object_get(entry, "clauses"), i, clause)
		printf(" %s", json_string_value(clause));
	printf(".\n\n");
}

static int show(struct program *program, const struct options *options)
{
	json_t *plan = program_plan(program);
	json_t *entry;
	size_t i;

	json_array_foreach(plan, i, entry) {
		if (options->verb == VERB_LIST)
			puts(text_member(entry, "case", ""));
		else if (options_choose(options, text_member(entry, "case", "")))
			describe(entry);
	}
	json_decref(plan);
	return plan ? EXIT_IGT_SUCCESS : EXIT_IGT_INVALID;
}

int main(int argc, char **argv)
{
	struct options options;
	struct program program;
	int status = options_parse(&options, argc, argv);

	if (status >= 0)
		return status;
	if (options.verb == VERB_INSTALL)
		return install(options.folder);
	if (!program_find(&program, argv[0]))
		return EXIT_IGT_INVALID;
	if (options.verb == VERB_RUN)
		return program_run(&program, &options);
	return show(&program, &options);
}

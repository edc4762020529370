// SPDX-License-Identifier: GPL-2.0-only
#include "agent/programs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "agent/choice.h"
#include "agent/emit.h"
#include "stream/executables.h"
#include "stream/text.h"

static bool is_there(const json_t *names, const char *wanted)
{
	json_t *name;
	size_t i;

	json_array_foreach(names, i, name)
		if (!strcmp(json_string_value(name), wanted))
			return true;
	return false;
}

/* Whether a program of somebody else has that name. */
static bool is_other(const json_t *others, const char *wanted)
{
	json_t *other;
	size_t i;

	json_array_foreach(others, i, other)
		if (!strcmp(text_member(other, "program", ""), wanted))
			return true;
	return false;
}

static int check_wanted(const json_t *names, const json_t *others,
			const struct options *options)
{
	for (size_t i = 0; i < options->program.count; i++) {
		const char *wanted = options->program.words[i];
		char list[1024] = "";

		if (is_there(names, wanted) || is_other(others, wanted))
			continue;
		list_names(list, sizeof(list), names, NULL);
		emit_error(EXIT_USAGE, "no program is called %s; there are: %s",
			   wanted, *list ? list : "none");
		return EXIT_USAGE;
	}
	return 0;
}

int programs_find(json_t **names, const json_t *others,
		  const struct options *options)
{
	int status;

	*names = executables_in(options->programs);
	if (!*names) {
		emit_error(EXIT_USAGE, "folder of the programs %s: %s",
			   options->programs, strerror(errno));
		return EXIT_USAGE;
	}
	status = check_wanted(*names, others, options);
	if (status)
		return status;
	for (size_t i = json_array_size(*names); i-- > 0;) {
		const char *name = json_string_value(json_array_get(*names, i));

		if (!words_have(&options->program, name) ||
		    (!options->program.count && executable_waits(name)))
			json_array_remove(*names, i);
	}
	if (json_array_size(*names) || json_array_size(others))
		return 0;
	emit_error(EXIT_NOT_JUDGED, "no conformance program in %s (is the "
		   "suite built?)", options->programs);
	return EXIT_NOT_JUDGED;
}

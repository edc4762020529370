// SPDX-License-Identifier: GPL-2.0-only
#include "agent/others.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "agent/emit.h"
#include "stream/executables.h"

static const char *origin_of(const char *folder)
{
	const char *slash = strrchr(folder, '/');

	return slash ? slash + 1 : folder;
}

static int add_folder(json_t *others, const struct options *options,
		      const char *folder)
{
	char path[4096];
	json_t *names, *name;
	size_t i;

	snprintf(path, sizeof(path), "%s/run", folder);
	names = executables_in(path);
	if (!names) {
		emit_error(EXIT_USAGE, "folder of others' programs %s: %s",
			   path, strerror(errno));
		return EXIT_USAGE;
	}
	json_array_foreach(names, i, name)
		if (words_have(&options->program, json_string_value(name)))
			json_array_append_new(others, json_pack("{s:s s:O}",
				"origin", origin_of(folder), "program", name));
	json_decref(names);
	return 0;
}

int others_find(json_t **others, const struct options *options)
{
	int status = 0;

	*others = json_array();
	for (size_t i = 0; i < options->with.count && !status; i++)
		status = add_folder(*others, options, options->with.words[i]);
	return status;
}

const char *others_folder(const struct options *options, const char *origin)
{
	for (size_t i = 0; i < options->with.count; i++)
		if (!strcmp(origin_of(options->with.words[i]), origin))
			return options->with.words[i];
	return origin;
}

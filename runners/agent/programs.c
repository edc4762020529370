// SPDX-License-Identifier: GPL-2.0-only
#include "agent/programs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/choice.h"
#include "agent/emit.h"

static int has_program_name(const struct dirent *entry)
{
	return !strchr(entry->d_name, '.') && strncmp(entry->d_name, "cts-", 4);
}

static bool is_executable_file(const char *folder, const char *name)
{
	char path[4096];
	struct stat status;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return !stat(path, &status) && S_ISREG(status.st_mode) &&
	       !access(path, X_OK);
}

static int find_all(json_t **names, const char *folder)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, has_program_name, alphasort);

	*names = json_array();
	if (count < 0) {
		emit_error(EXIT_USAGE, "folder of the programs %s: %s", folder,
			   strerror(errno));
		return EXIT_USAGE;
	}
	for (int i = 0; i < count; i++) {
		if (is_executable_file(folder, entries[i]->d_name))
			json_array_append_new(*names,
					      json_string(entries[i]->d_name));
		free(entries[i]);
	}
	free(entries);
	return 0;
}

static bool is_there(const json_t *names, const char *wanted)
{
	json_t *name;
	size_t i;

	json_array_foreach(names, i, name)
		if (!strcmp(json_string_value(name), wanted))
			return true;
	return false;
}

static int check_wanted(const json_t *names, const struct options *options)
{
	for (size_t i = 0; i < options->program.count; i++) {
		const char *wanted = options->program.words[i];
		char list[1024] = "";

		if (is_there(names, wanted))
			continue;
		list_names(list, sizeof(list), names, NULL);
		emit_error(EXIT_USAGE, "no program is called %s; there are: %s",
			   wanted, *list ? list : "none");
		return EXIT_USAGE;
	}
	return 0;
}

int programs_find(json_t **names, const struct options *options)
{
	int status = find_all(names, options->programs);

	if (!status)
		status = check_wanted(*names, options);
	if (status)
		return status;
	for (size_t i = json_array_size(*names); i-- > 0;)
		if (!words_have(&options->program, json_string_value(
				json_array_get(*names, i))))
			json_array_remove(*names, i);
	if (json_array_size(*names))
		return 0;
	emit_error(EXIT_NOT_JUDGED, "no conformance program in %s (is the "
		   "suite built?)", options->programs);
	return EXIT_NOT_JUDGED;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "stream/executables.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

bool executable_waits(const char *name)
{
	return !strcmp(name, "stress");
}

json_t *executables_in(const char *folder)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, has_program_name, alphasort);
	json_t *names;

	if (count < 0)
		return NULL;
	names = json_array();
	for (int i = 0; i < count; i++) {
		if (is_executable_file(folder, entries[i]->d_name))
			json_array_append_new(names,
					      json_string(entries[i]->d_name));
		free(entries[i]);
	}
	free(entries);
	return names;
}

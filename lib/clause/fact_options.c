// SPDX-License-Identifier: GPL-2.0-only
/* Facts about options from the kernel's configuration. */

#include "clause/fact.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

/* With the release put in; the first that can be read counts. */
static const char *const configurations[] = {
	"/proc/config.gz",
	"/boot/config-%s",
	"/lib/modules/%s/config",
	"/lib/modules/%s/build/.config",
};

#define CONFIGURATION_COUNT \
	(sizeof(configurations) / sizeof(configurations[0]))

/* Opens one; @name gets its path without @root. zlib reads plain files, too. */
static gzFile open_configuration(const char *root, const char *release,
				 const char *pattern, char *name, size_t size)
{
	const char *hole = strstr(pattern, "%s");
	char path[PATH_MAX];

	if (hole)
		snprintf(name, size, "%.*s%s%s", (int)(hole - pattern), pattern,
			 release, hole + 2);
	else
		snprintf(name, size, "%s", pattern);
	snprintf(path, sizeof(path), "%s%s", root, name);
	return gzopen(path, "re");
}

/* "CONFIG_X=y" or "# CONFIG_X is not set" */
static void look_at_line(const char *line, const char *file,
			 struct fact *facts, size_t count)
{
	bool unset = line[0] == '#';
	const char *name = unset ? line + 2 : line;
	const char *after = unset ? " is not set" : "=";

	if (strncmp(line, "CONFIG_", 7) && strncmp(line, "# CONFIG_", 9))
		return;
	for (size_t i = 0; i < count; i++) {
		size_t length = strlen(facts[i].name);

		if (facts[i].kind == FACT_OPTION &&
		    !strncmp(name, facts[i].name, length) &&
		    !strncmp(name + length, after, strlen(after)))
			fact_settle(&facts[i], unset ? ABSENT : PRESENT, file);
	}
}

static void look_at_configuration(gzFile configuration, const char *file,
				  struct fact *facts, size_t count)
{
	char line[1024];

	for (size_t i = 0; i < count; i++)
		if (facts[i].kind == FACT_OPTION)
			fact_settle(&facts[i], UNLISTED, file);
	while (gzgets(configuration, line, sizeof(line)))
		look_at_line(line, file, facts, count);
}

void facts_read_options(const char *root, const char *release,
			struct fact *facts, size_t count)
{
	for (size_t i = 0; i < CONFIGURATION_COUNT; i++) {
		char name[FACT_FILE_SIZE];
		gzFile configuration = open_configuration(root, release,
							  configurations[i],
							  name, sizeof(name));

		if (!configuration)
			continue;
		look_at_configuration(configuration, name, facts, count);
		gzclose(configuration);
		return;
	}
}

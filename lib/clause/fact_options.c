// SPDX-License-Identifier: GPL-2.0-only
/* Facts about options from the kernel's configuration. */

#include "clause/fact.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* With the release put in; the first that can be read counts. */
static const char *const configurations[] = {
	"/boot/config-%s",
	"/lib/modules/%s/config",
	"/lib/modules/%s/build/.config",
};

#define CONFIGURATION_COUNT \
	(sizeof(configurations) / sizeof(configurations[0]))

/* The kernel's own copy, if it has one; compressed, and gone with its module. */
#define OWN_CONFIGURATION	"/proc/config.gz"

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

static void look_at_configuration(FILE *configuration, const char *file,
				  struct fact *facts, size_t count)
{
	char line[1024];
	bool empty = true;

	while (fgets(line, sizeof(line), configuration)) {
		for (size_t i = 0; empty && i < count; i++)
			if (facts[i].kind == FACT_OPTION)
				fact_settle(&facts[i], UNLISTED, file);
		empty = false;
		look_at_line(line, file, facts, count);
	}
}

/* A library to unpack it would cost every test program time to start. */
static bool read_own(const char *root, struct fact *facts, size_t count)
{
	char command[PATH_MAX + 40];
	FILE *unpacked;

	snprintf(command, sizeof(command), "%s" OWN_CONFIGURATION, root);
	if (access(command, R_OK))
		return false;
	snprintf(command, sizeof(command),
		 "gzip -dc '%s" OWN_CONFIGURATION "' 2> /dev/null", root);
	unpacked = popen(command, "re");
	if (!unpacked)
		return false;
	look_at_configuration(unpacked, OWN_CONFIGURATION, facts, count);
	return pclose(unpacked) == 0;
}

static bool read_saved(const char *root, const char *release,
		       const char *pattern, struct fact *facts, size_t count)
{
	const char *hole = strstr(pattern, "%s");
	char name[FACT_FILE_SIZE];
	char path[PATH_MAX];
	FILE *configuration;

	snprintf(name, sizeof(name), "%.*s%s%s", (int)(hole - pattern), pattern,
		 release, hole + strlen("%s"));
	snprintf(path, sizeof(path), "%s%s", root, name);
	configuration = fopen(path, "re");
	if (!configuration)
		return false;
	look_at_configuration(configuration, name, facts, count);
	fclose(configuration);
	return true;
}

void facts_read_options(const char *root, const char *release,
			struct fact *facts, size_t count)
{
	if (read_own(root, facts, count))
		return;
	for (size_t i = 0; i < CONFIGURATION_COUNT; i++)
		if (read_saved(root, release, configurations[i], facts, count))
			return;
}

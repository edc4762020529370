// SPDX-License-Identifier: GPL-2.0-only
/* Finds and reads a kernel's configuration. */
#include "pair/kernel_config.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pair/kernel.h"

/* The kernel's own copy, if it was built to keep one. */
#define OWN_CONFIG	"/proc/config.gz"

/* The others, with the release put in. */
static const char *const saved_configs[] = {
	"/boot/config-%s",
	"/lib/modules/%s/config",
	"/lib/modules/%s/build/.config",
};

/* Everything in @file, after a newline; NULL if there is nothing. */
static char *read_all(FILE *file)
{
	size_t size = 0, length;
	char *text = NULL, part[4096];
	FILE *memory = open_memstream(&text, &size);

	if (!memory)
		return NULL;
	fputc('\n', memory);
	while ((length = fread(part, 1, sizeof(part), file)))
		fwrite(part, 1, length, memory);
	fclose(memory);
	if (size > 1)
		return text;
	free(text);
	return NULL;
}

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "re");
	char *text;

	if (!file)
		return NULL;
	text = read_all(file);
	fclose(file);
	return text;
}

/* A library to unpack it would cost every test program time to start. */
static char *read_own(const char *root)
{
	char command[PATH_MAX];
	FILE *unpacked;
	char *text;

	snprintf(command, sizeof(command), "%s" OWN_CONFIG, root);
	if (access(command, R_OK))
		return NULL;
	snprintf(command, sizeof(command), "zcat '%s" OWN_CONFIG "' 2> /dev/null",
		 root);
	unpacked = popen(command, "re");
	if (!unpacked)
		return NULL;
	text = read_all(unpacked);
	pclose(unpacked);
	return text;
}

/* Puts the release into a path, which has one %s. */
static void fill_in(char *name, size_t size, const char *path,
		    const char *release)
{
	const char *hole = strstr(path, "%s");

	snprintf(name, size, "%.*s%s%s", (int)(hole - path), path, release,
		 hole + strlen("%s"));
}

char *kernel_config_read(const char *root, const char *release, char *name,
			 size_t size)
{
	const char *named = *root ? NULL : getenv(KERNEL_CONFIG_VARIABLE);
	char path[PATH_MAX];
	char *text;

	snprintf(name, size, "%s", named ? named : OWN_CONFIG);
	text = named ? read_file(named) : read_own(root);
	if (text || named)
		return text;
	for (size_t i = 0; i < sizeof(saved_configs) / sizeof(char *); i++) {
		fill_in(name, size, saved_configs[i], release);
		snprintf(path, sizeof(path), "%s%s", root, name);
		text = read_file(path);
		if (text)
			return text;
	}
	return NULL;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "igt/install.h"

#include <errno.h>
#include <jansson.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "igt/exit.h"
#include "stream/executables.h"

static int complain(const char *path)
{
	fprintf(stderr, "cts-igt: %s: %s\n", path, strerror(errno));
	return EXIT_IGT_FAILURE;
}

static int add_link(const char *folder, const char *program, const char *self)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/" TEST_PREFIX "%s", folder, program);
	unlink(path);
	return symlink(self, path) ? complain(path) : 0;
}

static int add_list(const char *folder, const json_t *programs)
{
	char path[PATH_MAX];
	json_t *program;
	FILE *file;
	size_t i;

	snprintf(path, sizeof(path), "%s/test-list.txt", folder);
	file = fopen(path, "we");
	if (!file)
		return complain(path);
	fprintf(file, "TESTLIST\n");
	json_array_foreach(programs, i, program)
		fprintf(file, "%s" TEST_PREFIX "%s", i ? " " : "",
			json_string_value(program));
	fprintf(file, "\nEND TESTLIST\n");
	return fclose(file) ? complain(path) : 0;
}

int install(const char *folder)
{
	char self[PATH_MAX], programs[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	json_t *names, *name;
	int status = 0;
	size_t i;

	if (length < 0)
		return complain("/proc/self/exe");
	self[length] = '\0';
	memcpy(programs, self, length + 1);
	names = executables_in(dirname(programs));
	if (!names)
		return complain(programs);
	for (i = json_array_size(names); i-- > 0;)
		if (executable_waits(json_string_value(json_array_get(names, i))))
			json_array_remove(names, i);
	if (mkdir(folder, 0777) && errno != EEXIST)
		status = complain(folder);
	json_array_foreach(names, i, name)
		if (!status)
			status = add_link(folder, json_string_value(name), self);
	if (!status)
		status = add_list(folder, names);
	json_decref(names);
	return status;
}

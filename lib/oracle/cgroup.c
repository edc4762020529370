// SPDX-License-Identifier: GPL-2.0-only
/* Makes control groups and reads what is charged to them. */
#include "oracle/cgroup.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pair/kernel.h"

static int write_file(const char *folder, const char *name, const char *text)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return kernel_write_text(path, text);
}

static bool find_root(char *root, size_t size)
{
	FILE *file = fopen("/proc/self/mounts", "re");
	char where[256] = "", type[64];
	bool found = false;

	if (!file)
		return false;
	while (!found && fscanf(file, "%*s %255s %63s %*[^\n]", where, type) == 2)
		found = !strcmp(type, "cgroup2");
	fclose(file);
	snprintf(root, size, "%s", where);
	return found;
}

/* Whether a list of words in a file, separated by spaces, has a word. */
static bool lists(const char *folder, const char *name, const char *word)
{
	char path[PATH_MAX], line[256];
	char *place, *next;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	if (kernel_read_line(path, line, sizeof(line)) < 0)
		return false;
	for (place = line; (next = strsep(&place, " "));)
		if (!strcmp(next, word))
			return true;
	return false;
}

static int switch_controller(const struct cgroup *cgroup, char sign)
{
	char text[sizeof(cgroup->controller) + 1];

	snprintf(text, sizeof(text), "%c%s", sign, cgroup->controller);
	return write_file(cgroup->root, "cgroup.subtree_control", text);
}

int cgroup_make(struct cgroup *cgroup, const char *controller)
{
	int ret;

	memset(cgroup, 0, sizeof(*cgroup));
	snprintf(cgroup->controller, sizeof(cgroup->controller), "%s",
		 controller);
	if (!find_root(cgroup->root, sizeof(cgroup->root)) ||
	    !lists(cgroup->root, "cgroup.controllers", controller))
		return -ENODEV;
	if (!lists(cgroup->root, "cgroup.subtree_control", controller)) {
		ret = switch_controller(cgroup, '+');
		if (ret)
			return ret;
		cgroup->enabled = true;
	}
	snprintf(cgroup->path, sizeof(cgroup->path), "%s/dmabuf-cts-charge.%d",
		 cgroup->root, getpid());
	ret = mkdir(cgroup->path, 0755) ? -errno : 0;
	if (ret) {
		cgroup->path[0] = '\0';
		cgroup_remove(cgroup);
	}
	return ret;
}

void cgroup_remove(struct cgroup *cgroup)
{
	if (cgroup->path[0])
		rmdir(cgroup->path);
	cgroup->path[0] = '\0';
	if (cgroup->enabled)
		switch_controller(cgroup, '-');
	cgroup->enabled = false;
}

int cgroup_join(const struct cgroup *cgroup)
{
	return write_file(cgroup->path, "cgroup.procs", "0");
}

int cgroup_leave(void)
{
	char root[sizeof(((struct cgroup *)0)->root)];

	if (!find_root(root, sizeof(root)))
		return -ENODEV;
	return write_file(root, "cgroup.procs", "0");
}

int cgroup_write(const struct cgroup *cgroup, const char *file,
		 const char *text)
{
	return write_file(cgroup->path, file, text);
}

/* The number in a word, as far as it is the one asked for. */
static bool take_number(const char *word, const char *name, long long *sum)
{
	size_t length = name ? strlen(name) : 0;
	char *end;

	if (name && (strncmp(word, name, length) || word[length++] != '='))
		return false;
	*sum += strtoll(word + length, &end, 10);
	return end != word + length && !*end;
}

static bool sum_line(char *line, const char *device, const char *name,
		     long long *sum)
{
	const char *word = strsep(&line, " \n");
	bool found = false;

	if (device && strcmp(word, device))
		return false;
	while ((word = strsep(&line, " \n")))
		found |= *word && take_number(word, name, sum);
	return found;
}

long long cgroup_sum(const struct cgroup *cgroup, const char *file,
		     const char *device, const char *name)
{
	char path[PATH_MAX], line[512];
	bool found = false;
	long long sum = 0;
	FILE *lines;

	snprintf(path, sizeof(path), "%s/%s", cgroup->path, file);
	lines = fopen(path, "re");
	if (!lines)
		return -errno;
	while (fgets(line, sizeof(line), lines))
		found |= sum_line(line, device, name, &sum);
	fclose(lines);
	return found ? sum : -ENODATA;
}

long long cgroup_number(const struct cgroup *cgroup, const char *file)
{
	char path[PATH_MAX], line[64];
	int ret;

	snprintf(path, sizeof(path), "%s/%s", cgroup->path, file);
	ret = kernel_read_line(path, line, sizeof(line));
	if (ret <= 0)
		return ret ? ret : -ENODATA;
	return strtoll(line, NULL, 10);
}

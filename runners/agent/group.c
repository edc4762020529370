// SPDX-License-Identifier: GPL-2.0-only
#include "agent/group.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool find_mount(char *mount, size_t size)
{
	FILE *file = fopen("/proc/self/mounts", "re");
	char where[256], type[64];
	bool found = false;

	if (!file)
		return false;
	while (!found && fscanf(file, "%*s %255s %63s %*[^\n]", where, type) == 2)
		found = !strcmp(type, "cgroup2");
	fclose(file);
	snprintf(mount, size, "%s", where);
	return found;
}

/* Folder of the cgroup that this process is in. */
static bool find_own(char *path, size_t size)
{
	char mount[256], line[512];
	bool found = false;
	FILE *file;

	if (!find_mount(mount, sizeof(mount)))
		return false;
	file = fopen("/proc/self/cgroup", "re");
	if (!file)
		return false;
	while (!found && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		found = !strncmp(line, "0::/", 4);
	}
	fclose(file);
	if (!found)
		return false;
	return snprintf(path, size, "%s%s", mount,
			line[4] ? line + 3 : "") < (int)size;
}

static bool write_word(const char *folder, const char *name, const char *word)
{
	char path[600];
	bool good;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	good = write(fd, word, strlen(word)) == (ssize_t)strlen(word);
	close(fd);
	return good;
}

void group_open(struct group *group, int number)
{
	char own[400];

	*group = (struct group){ 0 };
	if (!find_own(own, sizeof(own)))
		return;
	snprintf(group->cgroup, sizeof(group->cgroup), "%s/dmabuf-cts.%d.%d",
		 own, getpid(), number);
	if (mkdir(group->cgroup, 0755))
		group->cgroup[0] = '\0';
}

void group_enter(const struct group *group)
{
	setsid();
	if (group->cgroup[0])
		write_word(group->cgroup, "cgroup.procs", "0");
}

bool group_has_cgroups(void)
{
	struct group group;
	bool has;

	group_open(&group, 0);
	has = group.cgroup[0];
	group_close(&group);
	return has;
}

typedef void (*member_action)(pid_t pid);

static void kill_member(pid_t pid)
{
	kill(pid, SIGKILL);
}

/*
 * A process that made a session of its own is this program's child as soon as
 * its parent is dead: main() has made it the reaper of orphans. There is one
 * job at a time, so each of our children is the job's.
 */
static bool is_member(pid_t pid, pid_t session)
{
	char path[64], line[512];
	int parent = 0, of = 0;
	char state = 0;
	size_t length;
	char *tail;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	length = fread(line, 1, sizeof(line) - 1, file);
	fclose(file);
	line[length] = '\0';
	/* The name in parentheses may hold anything, also parentheses. */
	tail = strrchr(line, ')');
	if (!tail || sscanf(tail + 1, " %c %d %*d %d", &state, &parent,
			    &of) != 3)
		return false;
	return state != 'Z' && (of == session || parent == getpid());
}

static int for_members(pid_t session, member_action action)
{
	DIR *folder = opendir("/proc");
	struct dirent *entry;
	int members = 0;

	if (!folder)
		return 0;
	while ((entry = readdir(folder))) {
		pid_t pid = atoi(entry->d_name);

		if (!isdigit((unsigned char)entry->d_name[0]) ||
		    !is_member(pid, session))
			continue;
		members++;
		if (action)
			action(pid);
	}
	closedir(folder);
	return members;
}

/* Kernels before 5.14 have no cgroup.kill. */
static void kill_one_by_one(const char *cgroup)
{
	char path[600];
	FILE *file;
	int pid;

	snprintf(path, sizeof(path), "%s/cgroup.procs", cgroup);
	file = fopen(path, "re");
	if (!file)
		return;
	while (fscanf(file, "%d", &pid) == 1)
		if (pid > 0)
			kill(pid, SIGKILL);
	fclose(file);
}

void group_kill(const struct group *group)
{
	if (group->cgroup[0] && !write_word(group->cgroup, "cgroup.kill", "1"))
		kill_one_by_one(group->cgroup);
	/* Also when in a cgroup: entering it may have failed. */
	for_members(group->leader, kill_member);
}

static bool cgroup_is_empty(const char *cgroup)
{
	char path[600];
	int pid, found;
	FILE *file;

	snprintf(path, sizeof(path), "%s/cgroup.procs", cgroup);
	file = fopen(path, "re");
	if (!file)
		return true;
	found = fscanf(file, "%d", &pid);
	fclose(file);
	return found != 1;
}

bool group_is_empty(const struct group *group)
{
	if (group->cgroup[0] && !cgroup_is_empty(group->cgroup))
		return false;
	return !for_members(group->leader, NULL);
}

void group_close(struct group *group)
{
	if (group->cgroup[0])
		rmdir(group->cgroup);
	group->cgroup[0] = '\0';
}

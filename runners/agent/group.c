// SPDX-License-Identifier: GPL-2.0-only
#include "agent/group.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/emit.h"

static bool find_mount(char *mount, size_t size)
{
	FILE *file = fopen("/proc/self/mounts", "re");
	char where[256] = "", type[64];
	bool found = false;

	if (!file)
		return false;
	while (!found && fscanf(file, "%*s %255s %63s %*[^\n]", where, type) == 2)
		found = !strcmp(type, "cgroup2");
	fclose(file);
	snprintf(mount, size, "%s", where);
	return found;
}

/* Of every job; the descriptor is -1 while there is none. */
static struct {
	char path[512];
	int folder;
	bool killed;
} cgroup = { .folder = -1 };

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

bool group_begin(void)
{
	static unsigned int count;
	char own[400];

	if (!find_own(own, sizeof(own)))
		return false;
	/* Its own name each time: the last one may not have gone away yet. */
	snprintf(cgroup.path, sizeof(cgroup.path), "%s/dmabuf-cts.%d.%u", own,
		 getpid(), count++);
	if (mkdir(cgroup.path, 0755))
		return false;
	cgroup.folder = open(cgroup.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (cgroup.folder < 0)
		rmdir(cgroup.path);
	return cgroup.folder >= 0;
}

void group_end(void)
{
	if (cgroup.folder < 0)
		return;
	close(cgroup.folder);
	cgroup.folder = -1;
	rmdir(cgroup.path);
}

/*
 * Born in the cgroup: to move a process into one waits for all processors.
 * Kernels before 5.7, and who may not, have the child move itself.
 */
static pid_t fork_into_cgroup(void)
{
	struct clone_args arguments = {
		.flags = CLONE_INTO_CGROUP,
		.exit_signal = SIGCHLD,
		.cgroup = cgroup.folder,
	};
	pid_t pid = syscall(SYS_clone3, &arguments, sizeof(arguments));

	if (pid >= 0)
		return pid;
	pid = fork();
	if (pid == 0)
		write_word(cgroup.path, "cgroup.procs", "0");
	return pid;
}

/* Linux 6.18 kills who is born into a cgroup that was killed once: a new one. */
static void renew_cgroup(void)
{
	group_end();
	if (!group_begin())
		emit_note("no new cgroup can be made: programs are ended by "
			  "session from now on");
	cgroup.killed = false;
}

pid_t group_fork(void)
{
	pid_t pid;

	if (cgroup.killed)
		renew_cgroup();
	pid = cgroup.folder >= 0 ? fork_into_cgroup() : fork();
	if (pid == 0)
		setsid();
	return pid;
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

static void kill_members(pid_t session)
{
	DIR *folder = opendir("/proc");
	struct dirent *entry;

	if (!folder)
		return;
	while ((entry = readdir(folder))) {
		pid_t pid = atoi(entry->d_name);

		if (isdigit((unsigned char)entry->d_name[0]) &&
		    is_member(pid, session))
			kill(pid, SIGKILL);
	}
	closedir(folder);
}

/* Kernels before 5.14 have no cgroup.kill. */
static void kill_one_by_one(void)
{
	char path[600];
	FILE *file;
	int pid;

	snprintf(path, sizeof(path), "%s/cgroup.procs", cgroup.path);
	file = fopen(path, "re");
	if (!file)
		return;
	while (fscanf(file, "%d", &pid) == 1)
		if (pid > 0)
			kill(pid, SIGKILL);
	fclose(file);
}

void group_kill(pid_t leader)
{
	cgroup.killed = cgroup.folder >= 0;
	if (cgroup.killed && !write_word(cgroup.path, "cgroup.kill", "1"))
		kill_one_by_one();
	/* Also when in a cgroup: entering it may have failed. */
	kill_members(leader);
}

bool group_is_empty(void)
{
	siginfo_t info;

	return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) &&
	       errno == ECHILD;
}

// SPDX-License-Identifier: GPL-2.0-only
/* Lists and compares the open file descriptors of this process. */
#include "oracle/fds.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER	"/proc/self/fd"

static int add(struct fds *fds, int fd)
{
	struct stat status;

	if (fstat(fd, &status))
		return 0;
	if (fds->count == FDS_MAX)
		return -EOVERFLOW;
	fds->entries[fds->count].fd = fd;
	fds->entries[fds->count].device = status.st_dev;
	fds->entries[fds->count].inode = status.st_ino;
	fds->count++;
	return 0;
}

int fds_take(struct fds *fds)
{
	DIR *folder = opendir(FOLDER);
	struct dirent *entry;
	int ret = 0;

	fds->count = 0;
	if (!folder)
		return -errno;
	while (!ret && (entry = readdir(folder))) {
		int fd = atoi(entry->d_name);

		if (entry->d_name[0] != '.' && fd != dirfd(folder))
			ret = add(fds, fd);
	}
	closedir(folder);
	return ret;
}

static bool has(const struct fds *fds, const struct fds *other, int which)
{
	for (int i = 0; i < fds->count; i++)
		if (fds->entries[i].fd == other->entries[which].fd &&
		    fds->entries[i].device == other->entries[which].device &&
		    fds->entries[i].inode == other->entries[which].inode)
			return true;
	return false;
}

static size_t append_name(char *text, size_t size, size_t end, int fd)
{
	char link[64], target[256];
	ssize_t length;

	snprintf(link, sizeof(link), FOLDER "/%d", fd);
	length = readlink(link, target, sizeof(target));
	if (length < 0)
		length = 0;
	if (end >= size)
		return end;
	return end + snprintf(text + end, size - end, "%s%d -> %.*s",
			      end ? ", " : "", fd, (int)length, target);
}

int fds_new(const struct fds *before, const struct fds *after, char *text,
	    size_t size)
{
	size_t end = 0;
	int count = 0;

	if (size)
		text[0] = '\0';
	for (int i = 0; i < after->count; i++) {
		if (has(before, after, i))
			continue;
		end = append_name(text, size, end, after->entries[i].fd);
		count++;
	}
	return count;
}

ino_t fds_inode(int fd)
{
	struct stat status;

	return fstat(fd, &status) ? 0 : status.st_ino;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "nic/memory_file.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define FILES	256

struct memory_file {
	dev_t device;
	ino_t inode;
	uint8_t *bytes;		/* NULL in a slot that is free */
	uint64_t length;
	bool writable;
	unsigned int users;
	volatile sig_atomic_t lost;
};

static struct memory_file files[FILES];
static struct sigaction before;	/* what SIGBUS did */

static struct memory_file *file_around(const uint8_t *address)
{
	for (int i = 0; i < FILES; i++)
		if (files[i].bytes && address >= files[i].bytes &&
		    (uint64_t)(address - files[i].bytes) < files[i].length)
			return &files[i];
	return NULL;
}

/* Zeros in the place of a file that was cut off; the access then goes on. */
static void replace_file(int number, siginfo_t *info, void *context)
{
	struct memory_file *file = file_around(info->si_addr);

	(void)context;
	if (!file || mmap(file->bytes, file->length, PROT_READ | PROT_WRITE,
			  MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
			  -1, 0) == MAP_FAILED) {
		sigaction(number, &before, NULL);
		return;
	}
	file->lost = 1;
}

static void expect_lost_files(void)
{
	struct sigaction action = {
		.sa_sigaction = replace_file,
		.sa_flags = SA_SIGINFO,
	};
	static bool done;

	if (!done)
		sigaction(SIGBUS, &action, &before);
	done = true;
}

static struct memory_file *find_file(const struct stat *stat, uint64_t end,
				     bool writable)
{
	for (int i = 0; i < FILES; i++) {
		struct memory_file *file = &files[i];

		if (file->bytes && !file->lost && file->device == stat->st_dev &&
		    file->inode == stat->st_ino && file->length >= end &&
		    file->writable >= writable)
			return file;
	}
	return NULL;
}

static struct memory_file *free_slot(void)
{
	for (int i = 0; i < FILES; i++)
		if (!files[i].bytes)
			return &files[i];
	return NULL;
}

static int map_file(struct memory_file *file, int fd, const struct stat *stat,
		    bool writable)
{
	void *bytes = mmap(NULL, stat->st_size,
			   PROT_READ | (writable ? PROT_WRITE : 0), MAP_SHARED,
			   fd, 0);

	if (bytes == MAP_FAILED)
		return -errno;
	expect_lost_files();
	*file = (struct memory_file){
		.device = stat->st_dev,
		.inode = stat->st_ino,
		.bytes = bytes,
		.length = stat->st_size,
		.writable = writable,
	};
	return 0;
}

int memory_file_get(int fd, uint64_t end, bool writable, struct memory_file **file)
{
	struct memory_file *found;
	struct stat stat;
	int ret;

	if (fstat(fd, &stat))
		return -errno;
	if (!S_ISREG(stat.st_mode) || stat.st_size < 0 ||
	    (uint64_t)stat.st_size < end)
		return -EINVAL;
	found = find_file(&stat, end, writable);
	if (!found) {
		found = free_slot();
		if (!found)
			return -ENOSPC;
		ret = map_file(found, fd, &stat, writable);
		if (ret)
			return ret;
	}
	found->users++;
	*file = found;
	return 0;
}

void memory_file_hold(struct memory_file *file)
{
	file->users++;
}

void memory_file_put(struct memory_file *file)
{
	if (--file->users)
		return;
	munmap(file->bytes, file->length);
	file->bytes = NULL;
}

uint8_t *memory_file_bytes(const struct memory_file *file)
{
	return file->bytes;
}

bool memory_file_lost(const struct memory_file *file)
{
	return file->lost;
}

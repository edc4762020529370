// SPDX-License-Identifier: GPL-2.0-only
#include "aftermath.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

#define SETTLE_S	30	/* for the last fence and the last close */

static int references(const char *module)
{
	char path[128];
	int count = -1;
	FILE *file;

	snprintf(path, sizeof(path), "/sys/module/%s/refcnt", module);
	file = fopen(path, "r");
	if (!file)
		return -1;
	if (fscanf(file, "%d", &count) != 1)
		count = -1;
	fclose(file);
	return count;
}

/* Fences that somebody still holds may keep a module for some seconds. */
int expect_unused(const char *module)
{
	time_t end = time(NULL) + SETTLE_S;
	int count;

	while ((count = references(module)) > 0 && time(NULL) < end)
		usleep(50000);
	if (!count)
		return 0;
	printf("not ok: module %s has %d users %d s after the last close\n",
	       module, count, SETTLE_S);
	return 1;
}

int unload(const char *module)
{
	if (!syscall(SYS_delete_module, module, O_NONBLOCK))
		return 0;
	printf("not ok: cannot unload %s: %s\n", module, strerror(errno));
	return 1;
}

static bool is_complaint(const char *line)
{
	static const char *const words[] = {
		"WARNING:", "BUG:", "Oops", "refcount_t:", "general protection",
		"Call Trace", "KASAN", "blocked for more than", "DMAR: DRHD",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strstr(line, words[i]))
			return true;
	return false;
}

int open_log(void)
{
	int log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (log >= 0)
		lseek(log, 0, SEEK_END);
	return log;
}

int expect_quiet_log(int log)
{
	char line[2048];
	int failed = 0;
	ssize_t size;

	for (;;) {
		size = read(log, line, sizeof(line) - 1);
		if (size < 0 && errno == EPIPE)
			continue;	/* lines were lost; go on with the rest */
		if (size <= 0)
			return failed;
		line[size] = 0;
		if (!is_complaint(line))
			continue;
		printf("not ok: kernel log: %s", line);
		failed = 1;
	}
}

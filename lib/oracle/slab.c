// SPDX-License-Identifier: GPL-2.0-only
/* Counts objects of the kernel's general purpose caches. */
#include "oracle/slab.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define FILE_NAME	"/proc/slabinfo"
#define CACHE_PREFIX	"kmalloc"

static long count(FILE *file)
{
	char line[512], name[64];
	unsigned long active;
	long sum = 0;
	int caches = 0;

	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%63s %lu", name, &active) != 2 ||
		    strncmp(name, CACHE_PREFIX, strlen(CACHE_PREFIX)))
			continue;
		sum += active;
		caches++;
	}
	return caches ? sum : -EPROTO;
}

long slab_objects(void)
{
	FILE *file = fopen(FILE_NAME, "r");
	long objects;

	if (!file)
		return -errno;
	objects = count(file);
	fclose(file);
	return objects;
}

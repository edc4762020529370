// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads bufinfo. 6.1 to 7.3 agree on its format: a line of columns for each
 * buffer (size, flags, mode, count, exporter, inode, name), its fences, the
 * attached devices, and a total. Fences and devices are indented by a tab.
 */
#include "oracle/bufinfo.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#define BUFINFO	"/sys/kernel/debug/dma_buf/bufinfo"
#define TITLE	"Dma-buf Objects:"

/* A name may hold anything, so the columns before it must look right. */
static bool parse_columns(const char *line, struct bufinfo *info)
{
	unsigned long inode;
	int end = 0;

	memset(info, 0, sizeof(*info));
	if (line[0] < '0' || line[0] > '9')
		return false;
	if (sscanf(line, "%zu\t%8x\t%8x\t%ld\t%63[^\t]\t%lu%n", &info->size,
		   &info->flags, &info->mode, &info->count, info->exporter,
		   &inode, &end) < 6)
		return false;
	if (line[end] != '\t')
		return false;
	info->inode = inode;
	snprintf(info->name, sizeof(info->name), "%.*s",
		 (int)strcspn(line + end + 1, "\n"), line + end + 1);
	return true;
}

static void add_device(struct bufinfo *info, const char *line)
{
	if (info->attachments < BUFINFO_DEVICES)
		snprintf(info->devices[info->attachments],
			 sizeof(info->devices[0]), "%.*s",
			 (int)strcspn(line, "\n"), line);
	info->attachments++;
}

static void add_fence(struct bufinfo *info, const char *line)
{
	info->fences++;
	info->containers += strstr(line, " dma_fence_array ") ||
			    strstr(line, " dma_fence_chain ");
}

/* The indented lines below a buffer's own; up to its total. */
static int parse_details(FILE *file, struct bufinfo *info)
{
	bool devices = false;
	char line[256];

	while (fgets(line, sizeof(line), file)) {
		if (!strncmp(line, "Total ", strlen("Total ")))
			return 1;
		if (!strncmp(line, "\tAttached Devices:", strlen("\tAttached Devices:")))
			devices = true;
		else if (line[0] == '\t' && devices)
			add_device(info, line + 1);
		else if (line[0] == '\t' && strstr(line, " fence:"))
			add_fence(info, line);
	}
	return -EPROTO;
}

int bufinfo_parse(FILE *file, ino_t inode, struct bufinfo *info)
{
	bool titled = false;
	char line[256];

	while (fgets(line, sizeof(line), file)) {
		titled |= !strncmp(line, TITLE, strlen(TITLE));
		if (titled && parse_columns(line, info) && info->inode == inode)
			return parse_details(file, info);
	}
	return titled ? 0 : -EPROTO;
}

int bufinfo_find(ino_t inode, struct bufinfo *info)
{
	FILE *file = fopen(BUFINFO, "re");
	int ret;

	if (!file)
		return -errno;
	ret = bufinfo_parse(file, inode, info);
	fclose(file);
	return ret;
}

bool bufinfo_has(ino_t inode)
{
	struct bufinfo info;

	return bufinfo_find(inode, &info) == 1;
}

int bufinfo_between(const char *exporter, ino_t first, ino_t last)
{
	struct bufinfo info;
	int found = 0;

	for (ino_t inode = first + 1; inode < last; inode++) {
		int listed = bufinfo_find(inode, &info);

		if (listed < 0)
			return listed;
		found += listed && !strcmp(info.exporter, exporter);
	}
	return found;
}

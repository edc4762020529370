// SPDX-License-Identifier: GPL-2.0-only
/* Reads the lines that a dma-buf adds to its fdinfo. */
#include "oracle/fdinfo.h"

#include <errno.h>
#include <string.h>

/* The rest of a line "key:\tvalue"; NULL if it has another key. */
static const char *value_of(const char *line, const char *key)
{
	size_t length = strlen(key);

	if (strncmp(line, key, length) || strncmp(line + length, ":\t", 2))
		return NULL;
	return line + length + 2;
}

static bool take_number(const char *line, const char *key, const char *format,
			void *number)
{
	const char *value = value_of(line, key);

	return value && sscanf(value, format, number) == 1;
}

static bool take_text(const char *line, const char *key, char *text,
		      size_t size)
{
	const char *value = value_of(line, key);

	if (!value)
		return false;
	snprintf(text, size, "%.*s", (int)strcspn(value, "\n"), value);
	return true;
}

void fdinfo_parse(FILE *file, struct fdinfo *info)
{
	char line[256];

	memset(info, 0, sizeof(*info));
	while (fgets(line, sizeof(line), file)) {
		take_number(line, "pos", "%lld", &info->position);
		take_number(line, "flags", "%o", &info->flags);
		info->has_size |= take_number(line, "size", "%zu", &info->size);
		info->has_count |= take_number(line, "count", "%ld", &info->count);
		info->has_exporter |= take_text(line, "exp_name", info->exporter,
						sizeof(info->exporter));
		info->has_name |= take_text(line, "name", info->name,
					    sizeof(info->name));
	}
}

int fdinfo_read(int fd, struct fdinfo *info)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	file = fopen(path, "re");
	if (!file)
		return -errno;
	fdinfo_parse(file, info);
	fclose(file);
	return 0;
}

struct fdinfo fdinfo_of(int fd)
{
	struct fdinfo info;

	if (fdinfo_read(fd, &info))
		memset(&info, 0, sizeof(info));
	return info;
}

long fdinfo_references(int fd)
{
	struct fdinfo info;
	int error = fdinfo_read(fd, &info);

	if (error)
		return error;
	return info.has_count ? info.count : -ENODATA;
}

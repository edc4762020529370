// SPDX-License-Identifier: GPL-2.0-only
#include "report/expected_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/outfile.h"

static const char *const usual_head[] = {
	"# SPDX-License-Identifier: GPL-2.0-only",
	"# CLAUSE PROGRAM.CASE VERDICT | REASON | FIRST KERNEL | FIXED IN | FOUND BY",
};

#define HEAD_LINES	(sizeof(usual_head) / sizeof(*usual_head))

static bool read_lines(struct expected_file *file)
{
	FILE *stream = fopen(file->path, "re");
	char *text = NULL;
	size_t room = 0;
	bool good;

	if (!stream && errno == ENOENT) {
		for (size_t i = 0; i < HEAD_LINES; i++)
			list_add(&file->lines, (char *)usual_head[i]);
		return true;
	}
	if (!stream)
		return outfile_complain(file->path, "read");
	while (getline(&text, &room, stream) >= 0) {
		text[strcspn(text, "\n")] = '\0';
		list_add(&file->lines, (char *)memory_copy(text));
	}
	good = !ferror(stream) || outfile_complain(file->path, "read");
	free(text);
	fclose(stream);
	return good;
}

struct expected_file *expected_file_get(struct list *files, const char *path)
{
	struct expected_file *file;

	for_list(struct expected_file *, known, files)
		if (!strcmp(known->path, path))
			return known;
	file = memory_get(sizeof(*file));
	file->path = memory_copy(path);
	if (!read_lines(file))
		return NULL;
	file->removed = memory_get(file->lines.count);
	list_add(files, file);
	return file;
}

void expected_file_remove(struct expected_file *file, int number)
{
	file->removed[number - 1] = true;
	file->changed = true;
}

void expected_file_replace(struct expected_file *file, int number,
			   const char *text)
{
	file->lines.items[number - 1] = (char *)text;
	file->changed = true;
}

void expected_file_add(struct expected_file *file, const char *text)
{
	for_list(const char *, known, &file->added)
		if (!strcmp(known, text))
			return;
	list_add(&file->added, (char *)text);
	file->changed = true;
}

static bool is_result(const char *line)
{
	line += strspn(line, " \t\r");
	return *line && *line != '#';
}

static int by_text(const void *one, const void *other)
{
	return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* Added lines come before the first one that is behind them in the order. */
static void put_lines(const struct expected_file *file, FILE *out)
{
	size_t next = 0;

	qsort(file->added.items, file->added.count,
	      sizeof(*file->added.items), by_text);
	for (size_t i = 0; i < file->lines.count; i++) {
		const char *line = file->lines.items[i];

		while (is_result(line) && next < file->added.count &&
		       strcmp(file->added.items[next], line) < 0)
			fprintf(out, "%s\n",
				(const char *)file->added.items[next++]);
		if (!file->removed[i])
			fprintf(out, "%s\n", line);
	}
	while (next < file->added.count)
		fprintf(out, "%s\n", (const char *)file->added.items[next++]);
}

static bool is_usual(const char *line)
{
	for (size_t i = 0; i < HEAD_LINES; i++)
		if (!strcmp(line, usual_head[i]))
			return true;
	return !*line;
}

static bool is_needless(const struct expected_file *file)
{
	for (size_t i = 0; i < file->lines.count; i++)
		if (!file->removed[i] && !is_usual(file->lines.items[i]))
			return false;
	return !file->added.count;
}

/* The folder of a series that nothing was known of. */
static void make_folder(const char *path)
{
	char *folder = (char *)memory_copy(path);

	*strrchr(folder, '/') = '\0';
	mkdir(folder, 0777);
}

bool expected_file_save(const struct expected_file *file)
{
	char *text = NULL;
	size_t length;
	FILE *out;
	bool good;

	if (!file->changed)
		return true;
	if (is_needless(file))
		return !unlink(file->path) || errno == ENOENT ||
		       outfile_complain(file->path, "remove");
	out = open_memstream(&text, &length);
	if (!out)
		return outfile_complain(file->path, "write");
	put_lines(file, out);
	make_folder(file->path);
	good = !fclose(out) ? outfile_replace(file->path, text, length) :
			      outfile_complain(file->path, "write");
	free(text);
	return good;
}

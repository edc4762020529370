// SPDX-License-Identifier: GPL-2.0-only
#include "bundle/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bundle/wrong.h"
#include "report/outfile.h"

static const struct {
	const char *pattern;
	enum content content;
} contents[] = {
	{ "run.json", CONTENT_JSON },
	{ "environment.json", CONTENT_JSON },
	{ "run.ktap", CONTENT_TEXT },
	{ "run.tap", CONTENT_TEXT },
	{ "stream.jsonl", CONTENT_STREAM },
	{ "console*.log", CONTENT_TEXT },
	{ "nic*.log", CONTENT_TEXT },
	{ "programs/*.log", CONTENT_TEXT },
	{ "kernel/*.log", CONTENT_TEXT },
	{ MANIFEST, CONTENT_BUNDLE },
	{ STATEMENT, CONTENT_BUNDLE },
};

/* What runs leave as well, and nobody would miss. */
static const char *const scraps[] = { "remaining", "schedule" };

static const char *const folders[] = { "", "kernel", "programs" };

enum content files_content(const char *name)
{
	for (size_t i = 0; i < sizeof(contents) / sizeof(*contents); i++)
		if (!fnmatch(contents[i].pattern, name, FNM_PATHNAME | FNM_PERIOD))
			return contents[i].content;
	return CONTENT_NONE;
}

bool files_is_safe(const char *name)
{
	const char *part = name;

	if (!*name || *name == '/')
		return false;
	for (const char *c = name; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f || *c == '\\')
			return false;
	for (; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL) {
		size_t length = strcspn(part, "/");

		if (!length || (length == 1 && part[0] == '.') ||
		    (length == 2 && part[0] == '.' && part[1] == '.'))
			return false;
	}
	return true;
}

struct file *files_find(const struct files *files, const char *name)
{
	for_list(struct file *, file, &files->list)
		if (!strcmp(file->name, name))
			return file;
	return NULL;
}

struct file *files_add(struct files *files, const char *name, char *data,
		       size_t size)
{
	struct file *file = memory_get(sizeof(*file));

	*file = (struct file){ memory_copy(name), data, size };
	list_add(&files->list, file);
	files->size += size;
	return file;
}

/* Returns 0 and the bytes, or -1 with errno. */
static int read_all(int fd, char **data, size_t *size)
{
	struct stat about;
	ssize_t done = 0;

	*size = 0;
	if (fstat(fd, &about))
		return -1;
	if (!S_ISREG(about.st_mode) || about.st_size > FILES_SIZE_MAX) {
		errno = S_ISREG(about.st_mode) ? EFBIG : EINVAL;
		return -1;
	}
	*data = malloc(about.st_size + 1);
	if (!*data)
		return -1;
	while (*size < (size_t)about.st_size) {
		done = read(fd, *data + *size, about.st_size - *size);
		if (done <= 0)
			break;
		*size += done;
	}
	(*data)[*size] = '\0';
	return done < 0 ? -1 : 0;
}

/* A link would have somebody else's file go along. */
static bool read_file(struct files *files, const char *folder, const char *name)
{
	const char *path = memory_print("%s/%s", folder, name);
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	char *data = NULL;
	size_t size;

	if (fd < 0 || read_all(fd, &data, &size)) {
		cannot("cannot read %s: %s", path, errno == ELOOP ?
		       "it is a link" : strerror(errno));
		free(data);
		if (fd >= 0)
			close(fd);
		return false;
	}
	close(fd);
	files_add(files, name, data, size);
	return true;
}

static bool is_scrap(const char *name)
{
	for (size_t i = 0; i < sizeof(scraps) / sizeof(*scraps); i++)
		if (!strcmp(scraps[i], name))
			return true;
	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
		if (!strcmp(folders[i], name))
			return true;
	return false;
}

static bool take_entry(struct files *files, const char *folder,
		       const char *name)
{
	switch (files_content(name)) {
	case CONTENT_BUNDLE:
		return true;
	case CONTENT_NONE:
		if (!is_scrap(name))
			cannot("%s/%s is no part of a run, and is left out",
			       folder, name);
		return true;
	default:
		return read_file(files, folder, name);
	}
}

static bool read_subfolder(struct files *files, const char *folder,
			   const char *below)
{
	const char *path = memory_print("%s%s%s", folder, *below ? "/" : "",
					below);
	struct dirent **entries;
	int count = scandir(path, &entries, NULL, alphasort);
	bool good = true;

	if (count < 0 && *below && errno == ENOENT)
		return true;
	if (count < 0) {
		cannot("cannot read the run %s: %s; give the result folder of a run",
		       path, strerror(errno));
		return false;
	}
	for (int i = 0; i < count; i++) {
		good = good && (entries[i]->d_name[0] == '.' || take_entry(files, folder,
			memory_print("%s%s%s", below, *below ? "/" : "",
				     entries[i]->d_name)));
		free(entries[i]);
	}
	free(entries);
	return good;
}

bool files_read_folder(struct files *files, const char *folder)
{
	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
		if (!read_subfolder(files, folder, folders[i]))
			return false;
	if (files_find(files, "run.json"))
		return true;
	cannot("%s is no run: it has no run.json", folder);
	return false;
}

bool files_write_folder(const struct files *files, const char *folder)
{
	for (size_t i = 1; i < sizeof(folders) / sizeof(*folders); i++) {
		const char *path = memory_print("%s/%s", folder, folders[i]);

		if (mkdir(path, 0755) && errno != EEXIST)
			return outfile_complain(path, "make the folder");
	}
	for_list(const struct file *, file, &files->list)
		if (!outfile_replace(memory_print("%s/%s", folder, file->name),
				     file->data, file->size))
			return false;
	return true;
}

static int compare_names(const void *one, const void *other)
{
	const struct file *const *a = one, *const *b = other;

	return strcmp((*a)->name, (*b)->name);
}

void files_sort(struct files *files)
{
	if (files->list.count)
		qsort(files->list.items, files->list.count,
		      sizeof(*files->list.items), compare_names);
}

void files_release(struct files *files)
{
	for_list(struct file *, file, &files->list)
		free(file->data);
}

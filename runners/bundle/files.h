/* SPDX-License-Identifier: GPL-2.0-only */
/* The files of a bundle, in memory: of a run folder, or of an archive. */
#ifndef CTS_BUNDLE_FILES_H
#define CTS_BUNDLE_FILES_H

#include <jansson.h>
#include <stdbool.h>

#include "report/memory.h"

/* More is no run: the largest so far had 40 MiB. */
#define FILES_SIZE_MAX	(512u << 20)
#define FILES_COUNT_MAX	100000

struct file {
	const char *name;	/* below the folder: "kernel/3-pins.log" */
	char *data;		/* with a NUL behind it that does not count */
	size_t size;
};

struct files {
	struct list list;	/* of struct file */
	size_t size;		/* of all */
	bool cut;		/* the archive ended early: more may belong to them */
};

/* Which kinds of file a run leaves, and what they hold. */
enum content {
	CONTENT_NONE,		/* no part of a bundle */
	CONTENT_JSON,
	CONTENT_TEXT,
	CONTENT_STREAM,		/* the same again, record by record */
	CONTENT_BUNDLE,		/* made for the bundle: manifest and statement */
};

#define MANIFEST	"manifest.json"
#define STATEMENT	"statement.txt"

/* What a name stands for. */
enum content files_content(const char *name);

/* Whether a name stays below its folder, and has nothing that a file system refuses. */
bool files_is_safe(const char *name);

struct file *files_find(const struct files *files, const char *name);

/**
 * files_add - add a file
 * @data: becomes the file's; freed by files_release()
 */
struct file *files_add(struct files *files, const char *name, char *data,
		       size_t size);

/**
 * files_read_folder - all files of a run that belong in a bundle
 * @folder: the result folder
 *
 * Files that are none of a run's are named on stderr and left out.
 *
 * Return: true, or false after a message on stderr.
 */
bool files_read_folder(struct files *files, const char *folder);

/**
 * files_write_folder - write them below a folder that is there
 *
 * Return: true, or false after a message on stderr.
 */
bool files_write_folder(const struct files *files, const char *folder);

/* By name, so that the same files make the same archive. */
void files_sort(struct files *files);

void files_release(struct files *files);

#endif

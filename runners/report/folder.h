/* SPDX-License-Identifier: GPL-2.0-only */
/* The result folder. */
#ifndef CTS_REPORT_FOLDER_H
#define CTS_REPORT_FOLDER_H

#include <jansson.h>
#include <stdbool.h>

#include "report/model.h"
#include "report/outfile.h"

struct folder {
	const char *path;	/* NULL: no folder is written */
	struct outfile stream;	/* stream.jsonl */
	struct outfile ktap;	/* run.ktap */
	struct outfile tap;	/* run.tap */
	int lock;		/* stream.jsonl again, for this process alone */
};

/**
 * folder_open - make the folder and begin its files
 * @path: the folder, or NULL for none; must stay good
 * @append: go on with the run that is in it
 *
 * Return: true, or false after a message on stderr.
 */
bool folder_open(struct folder *folder, const char *path, bool append);

/**
 * folder_replay - pass on each line of the run that is in the folder
 * @take: called for each line
 *
 * Return: true, or false after a message on stderr.
 */
bool folder_replay(const struct folder *folder,
		   void (*take)(void *context, const char *line, size_t length),
		   void *context);

/* Keep a line of the stream as it came. */
void folder_keep_line(struct folder *folder, const char *text, size_t length);

/* Programs' output and kernel messages into files of their own. */
void folder_keep_record(struct folder *folder, const struct run *run,
			const json_t *record);

/* Write a JSON file, whole or not at all. */
void folder_write_json(const struct folder *folder, const char *name,
		       const json_t *value);

void folder_close(struct folder *folder);

#endif

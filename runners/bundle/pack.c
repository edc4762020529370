// SPDX-License-Identifier: GPL-2.0-only
#include "bundle/pack.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bundle/files.h"
#include "bundle/hide.h"
#include "bundle/manifest.h"
#include "bundle/statement.h"
#include "bundle/tar.h"
#include "bundle/wrong.h"
#include "conform/profile.h"
#include "stream/status.h"
#include "stream/text.h"
#include "stream/version.h"

static json_t *parse_file(const struct files *files, const char *name)
{
	const struct file *file = files_find(files, name);
	json_error_t error;
	json_t *value;

	if (!file) {
		cannot("the run has no %s", name);
		return NULL;
	}
	value = json_loadb(file->data, file->size, 0, &error);
	if (!value)
		cannot("the run's %s is no whole JSON file: line %d: %s", name,
		       error.line, error.text);
	return value;
}

/* Also a run that is not whole can be looked at; but not by an old reader. */
static bool is_readable(const json_t *run)
{
	json_int_t schema = json_integer_value(json_object_get(run, "schema"));

	if (schema == STREAM_SCHEMA)
		return true;
	cannot("the run is of suite %s (schema %lld, this one knows %d): bundle it with the suite that wrote it",
	       text_member(run, "suite", "?"), (long long)schema,
	       STREAM_SCHEMA);
	return false;
}

static char *read_text(const char *path, size_t *size)
{
	FILE *file = fopen(path, "re");
	char *text = NULL;
	size_t room = 0;
	ssize_t length = file ? getdelim(&text, &room, '\0', file) : -1;

	if (length < 0)
		cannot("cannot read the statement %s: %s", path,
		       file && !ferror(file) ? "it is empty" : strerror(errno));
	if (file)
		fclose(file);
	*size = length < 0 ? 0 : length;
	return length < 0 ? NULL : text;
}

/* Returns the status to exit with, or 0 to go on. */
static int check_text(const char *path, const char *text, bool allow_blanks)
{
	struct list faults = { 0 };
	struct list blanks = statement_blanks(statement_parse(text, &faults));

	for_list(const char *, fault, &faults)
		cannot("%s: %s", path, fault);
	for_list(const char *, name, &blanks)
		if (!allow_blanks)
			cannot("%s: the field '%s' is blank; fill it in, or give --allow-blanks",
			       path, name);
	return faults.count || (blanks.count && !allow_blanks) ?
	       EXIT_UNEXPECTED : 0;
}

static int add_statement(struct files *files, const struct options *options)
{
	size_t size;
	char *text = read_text(options->statement, &size);

	if (!text)
		return EXIT_NOT_JUDGED;
	files_add(files, STATEMENT, text, size);
	return check_text(options->statement, text, options->allow_blanks);
}

static int pack_files(struct files *files, const struct options *options)
{
	json_t *run = parse_file(files, "run.json");
	json_t *environment = parse_file(files, "environment.json");
	int status = EXIT_NOT_JUDGED;

	files_sort(files);
	if (!run || !environment || !is_readable(run))
		goto release;
	memory_hold(run);
	memory_hold(environment);
	if (options->private &&
	    !hide_all(files, run, environment, options->words))
		goto release;
	status = add_statement(files, options);
	if (status)
		goto release;
	manifest_add(files, run, options->private);
	files_sort(files);
	status = tar_write(files, stdout) ? 0 : EXIT_NOT_JUDGED;
release:
	json_decref(run);
	json_decref(environment);
	return status;
}

int pack(const struct options *options)
{
	struct files files = { 0 };
	int status = EXIT_NOT_JUDGED;

	if (files_read_folder(&files, options->path))
		status = pack_files(&files, options);
	files_release(&files);
	return status;
}

int print_template(const struct options *options)
{
	const json_t *profiles = profiles_load(options->profiles);
	struct files files = { 0 };
	json_t *run = NULL, *environment = NULL;
	int status = EXIT_NOT_JUDGED;

	if (profiles && files_read_folder(&files, options->path)) {
		run = parse_file(&files, "run.json");
		environment = parse_file(&files, "environment.json");
	}
	if (run && environment && is_readable(run)) {
		fputs(statement_template(run, environment, profiles), stdout);
		status = 0;
	}
	json_decref(run);
	json_decref(environment);
	files_release(&files);
	return status;
}

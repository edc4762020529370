// SPDX-License-Identifier: GPL-2.0-only
#include "report/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stream/text.h"

static const char *path_of(const struct folder *folder, const char *name)
{
	return memory_print("%s/%s", folder->path, name);
}

static bool make_folder(const char *path)
{
	if (mkdir(path, 0755) && errno != EEXIST)
		return outfile_complain(path, "make folder");
	return true;
}

/* "a/b/c": the parents too, as mkdir -p does. */
static bool make_folders(const char *path)
{
	char part[4096];

	for (const char *slash = strchr(path + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", (int)(slash - path), path);
		if (!make_folder(part))
			return false;
	}
	return make_folder(path);
}

static bool is_used(const struct folder *folder)
{
	struct stat status;

	return !stat(path_of(folder, "stream.jsonl"), &status) &&
	       status.st_size > 0;
}

/*
 * One run at a time: the lock goes with the process that holds it. Where there
 * are no locks, as on some network's file systems, there is none.
 */
static bool take_lock(struct folder *folder)
{
	const char *path = path_of(folder, "stream.jsonl");

	folder->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (folder->lock < 0)
		return outfile_complain(path, "write");
	if (!flock(folder->lock, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK)
		return true;
	fprintf(stderr, "cts-report: another run writes into %s right now "
		"(choose another --output)\n", folder->path);
	return false;
}

/* A reader that was killed may have left a line without its end. */
static void end_last_line(struct folder *folder)
{
	FILE *file = fopen(folder->stream.path, "re");
	int last = '\n';

	if (!file)
		return;
	if (!fseek(file, -1, SEEK_END))
		last = fgetc(file);
	fclose(file);
	if (last != '\n')
		outfile_write(&folder->stream, "\n", 1);
}

bool folder_open(struct folder *folder, const char *path, bool append)
{
	*folder = (struct folder){
		.path = path,
		.lock = -1,
		.stream.fd = -1,
		.ktap.fd = -1,
		.tap.fd = -1,
	};
	if (!path)
		return true;
	if (!make_folders(path) || !make_folder(path_of(folder, "programs")) ||
	    !make_folder(path_of(folder, "kernel")) || !take_lock(folder))
		return false;
	if (!append && is_used(folder)) {
		fprintf(stderr, "cts-report: %s holds the results of a run "
			"already (choose another --output, or --append)\n",
			path);
		return false;
	}
	if (!outfile_open(&folder->stream, path_of(folder, "stream.jsonl"),
			  !append) ||
	    !outfile_open(&folder->ktap, path_of(folder, "run.ktap"), true) ||
	    !outfile_open(&folder->tap, path_of(folder, "run.tap"), true))
		return false;
	if (append)
		end_last_line(folder);
	return true;
}

bool folder_replay(const struct folder *folder,
		   void (*take)(void *context, const char *line, size_t length),
		   void *context)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t length;
	FILE *file;
	bool good;

	if (!folder->path)
		return true;
	file = fopen(folder->stream.path, "re");
	if (!file)
		return outfile_complain(folder->stream.path, "read");
	while ((length = getline(&line, &room, file)) > 0) {
		if (line[length - 1] == '\n')
			length--;
		take(context, line, length);
	}
	good = !ferror(file);
	if (!good)
		outfile_complain(folder->stream.path, "read");
	free(line);
	fclose(file);
	return good;
}

void folder_keep_line(struct folder *folder, const char *text, size_t length)
{
	char *line;

	if (folder->stream.fd < 0)
		return;
	line = malloc(length + 1);
	if (!line) {
		outfile_complain(folder->stream.path, "write");
		return;
	}
	memcpy(line, text, length);
	line[length] = '\n';
	outfile_write(&folder->stream, line, length + 1);
	free(line);
}

static void append(const struct folder *folder, const char *name,
		   const char *text, size_t length)
{
	struct outfile file;

	if (!outfile_open(&file, path_of(folder, name), false))
		return;
	outfile_write(&file, text, length);
	outfile_close(&file);
}

static const char *safe_name(const char *name)
{
	char *safe = (char *)memory_copy(name);

	for (char *c = safe; *c; c++)
		if (*c == '/')
			*c = '_';
	return safe;
}

static void keep_output(const struct folder *folder, const json_t *record)
{
	bool part = json_is_true(json_object_get(record, "part"));
	size_t length = 0;
	char *text = text_get(record, &length);

	if (!text)
		return;
	/* The place of the terminator takes the newline. */
	text[length] = '\n';
	append(folder, memory_print("programs/%lld.log", json_integer_value(
				    json_object_get(record, "job"))),
	       text, length + !part);
	free(text);
}

static const char *kernel_log_name(const struct run *run, json_int_t job)
{
	if (!job)
		return "kernel/outside.log";
	if (!run->source->current_case)
		return memory_print("kernel/%lld.log", job);
	return memory_print("kernel/%lld-%s.log", job,
			    safe_name(run->source->current_case->name));
}

static void keep_kernel(const struct folder *folder, const struct run *run,
			const json_t *record)
{
	json_int_t job = json_integer_value(json_object_get(record, "job"));
	json_int_t time = json_integer_value(json_object_get(record,
							     "time_us"));
	const char *line = memory_print("<%lld>[%5lld.%06lld] %s\n",
		json_integer_value(json_object_get(record, "level")),
		time / 1000000, time % 1000000,
		text_member(record, "text", ""));

	append(folder, kernel_log_name(run, job), line, strlen(line));
}

void folder_keep_record(struct folder *folder, const struct run *run,
			const json_t *record)
{
	const char *type = text_member(record, "type", "");

	if (!folder->path)
		return;
	if (!strcmp(type, "output"))
		keep_output(folder, record);
	else if (!strcmp(type, "kernel"))
		keep_kernel(folder, run, record);
}

void folder_write_json(const struct folder *folder, const char *name,
		       const json_t *value)
{
	char *text;

	if (!folder->path)
		return;
	text = json_dumps(value, JSON_INDENT(1));
	if (!text) {
		errno = ENOMEM;
		outfile_complain(name, "write");
		return;
	}
	outfile_replace(path_of(folder, name), text, strlen(text));
	free(text);
}

void folder_close(struct folder *folder)
{
	outfile_close(&folder->stream);
	outfile_close(&folder->ktap);
	outfile_close(&folder->tap);
	if (folder->lock >= 0)
		close(folder->lock);
}

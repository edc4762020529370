// SPDX-License-Identifier: GPL-2.0-only
/* Writes the machine-readable record, one JSON object a line. */
#include "record/record.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define EXIT_CANNOT_JUDGE	125

/* A quarter of a pipe: who fills it would wait for the runner's next look. */
#define UNREAD_MAX		16384

/* Bytes written since it was rung for. */
static size_t unread;

/* Of no more than a pipe takes in one piece, whoever else writes into it. */
static struct {
	bool wanted;
	size_t length;
	char text[PIPE_BUF];
} gathered;

static const char *const verdict_names[VERDICT_COUNT] = {
	[VERDICT_NONE] = "none",
	[VERDICT_SKIP] = "skip",
	[VERDICT_PASS] = "pass",
	[VERDICT_VALUE] = "value",
	[VERDICT_REFUSED] = "refused",
	[VERDICT_WARN] = "warn",
	[VERDICT_ERROR] = "error",
	[VERDICT_FAIL] = "fail",
};

const char *verdict_name(enum verdict verdict)
{
	return verdict_names[verdict];
}

/* -1 when no runner asked. A bad number is treated as a runner's mistake. */
static int descriptor(const char *variable)
{
	const char *text = getenv(variable);
	char *end;
	long fd;

	if (!text || !*text)
		return -1;

	fd = strtol(text, &end, 10);
	if (*end || fd < 0) {
		fprintf(stderr, "%s=%s is not a file descriptor\n",
			variable, text);
		exit(EXIT_CANNOT_JUDGE);
	}
	return fd;
}

static int record_fd(void)
{
	return descriptor(RECORD_FD_VARIABLE);
}

bool record_enabled(void)
{
	return record_fd() >= 0;
}

static void record_lost(int error)
{
	fprintf(stderr, "cannot write a record to descriptor %d: %s\n",
		record_fd(), strerror(error));
	_exit(EXIT_CANNOT_JUDGE);
}

void record_ring(void)
{
	int bell = descriptor(RECORD_BELL_VARIABLE);

	unread = 0;
	if (bell >= 0 && eventfd_write(bell, 1))
		record_lost(errno);
}

static void write_all(int fd, const char *line, size_t length)
{
	while (length) {
		ssize_t done = write(fd, line, length);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			record_lost(errno);
		line += done;
		length -= done;
		unread += done;
	}
	if (unread >= UNREAD_MAX)
		record_ring();
}

static void write_gathered(int fd)
{
	write_all(fd, gathered.text, gathered.length);
	gathered.length = 0;
}

static void write_line(int fd, const char *line, size_t length)
{
	if (gathered.length + length > sizeof(gathered.text))
		write_gathered(fd);
	if (!gathered.wanted || length > sizeof(gathered.text)) {
		write_all(fd, line, length);
		return;
	}
	memcpy(gathered.text + gathered.length, line, length);
	gathered.length += length;
}

void record_gather(void)
{
	gathered.wanted = true;
}

void record_flush(void)
{
	if (gathered.length)
		write_gathered(record_fd());
	gathered.wanted = false;
}

bool record_begin(struct record_writer *writer, const char *type)
{
	if (!record_enabled())
		return false;
	writer_start(writer);
	writer_open(writer, NULL, '{');
	writer_text(writer, "type", type);
	return true;
}

void record_end(struct record_writer *writer)
{
	writer_close(writer, '}');
	writer_close(writer, '\n');
	if (writer->failed)
		record_lost(ENOMEM);
	write_line(record_fd(), writer->text, writer->length);
	writer_stop(writer);
}

void record_write(json_t *record)
{
	int fd = record_fd();
	size_t length;
	char *line;

	if (fd >= 0) {
		line = json_dumps(record, JSON_COMPACT);
		if (!line)
			record_lost(ENOMEM);
		length = strlen(line);
		/* The terminating NUL gives its place to the newline. */
		line[length] = '\n';
		write_line(fd, line, length + 1);
		free(line);
		record_ring();
	}
	json_decref(record);
}

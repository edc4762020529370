// SPDX-License-Identifier: GPL-2.0-only
#include "igt/follow.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define VARIABLE	"DMABUF_CTS_RECORD_FD"
#define LINE_LIMIT	(1 << 20)

struct channel {
	struct line_reader reader;
	int ends[2];		/* to read from, and the program's */
};

static bool channel_open(struct channel *channel, line_sink sink, void *context)
{
	if (!line_reader_init(&channel->reader, LINE_LIMIT, sink, context))
		return false;
	if (!pipe2(channel->ends, O_CLOEXEC))
		return true;
	line_reader_release(&channel->reader);
	return false;
}

static void channel_close(struct channel *channel)
{
	line_reader_release(&channel->reader);
	close(channel->ends[0]);
}

/* Returns false once there is no more. */
static bool channel_read(struct channel *channel)
{
	char data[4096];
	ssize_t length = read(channel->ends[0], data, sizeof(data));

	if (length < 0)
		return errno == EINTR;
	line_reader_feed(&channel->reader, data, length);
	if (!length)
		line_reader_finish(&channel->reader);
	return length;
}

static void become(char *const *arguments, struct channel *record,
		   struct channel *output)
{
	char fd[16];

	dup2(output->ends[1], STDOUT_FILENO);
	fcntl(record->ends[1], F_SETFD, 0);
	snprintf(fd, sizeof(fd), "%d", record->ends[1]);
	setenv(VARIABLE, fd, 1);
	execv(arguments[0], arguments);
	perror(arguments[0]);
	_exit(127);
}

/* A case's records are written before its line of output, and so come first. */
static void read_all(struct channel *record, struct channel *output)
{
	struct pollfd events[] = {
		{ .fd = record->ends[0], .events = POLLIN },
		{ .fd = output->ends[0], .events = POLLIN },
	};

	while (events[0].fd >= 0 || events[1].fd >= 0) {
		if (poll(events, 2, -1) < 0 && errno != EINTR)
			return;
		if (events[0].revents && !channel_read(record))
			events[0].fd = -1;
		if (events[1].revents && !channel_read(output))
			events[1].fd = -1;
	}
}

int follow(char *const *arguments, line_sink record_sink, line_sink output_sink,
	   void *context)
{
	struct channel record, output;
	int status = -1;
	pid_t pid;

	if (!channel_open(&record, record_sink, context))
		return -1;
	if (!channel_open(&output, output_sink, context)) {
		close(record.ends[1]);
		goto close_record;
	}
	fflush(stdout);
	pid = fork();
	if (pid == 0)
		become(arguments, &record, &output);
	close(record.ends[1]);
	close(output.ends[1]);
	if (pid > 0) {
		read_all(&record, &output);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	channel_close(&output);
close_record:
	channel_close(&record);
	return status;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "others/child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define LINE_LIMIT	4096
/* What a shell says of a program that is not there. */
#define EXIT_UNSTARTED	127

static void become(char *const *arguments, int output)
{
	dup2(output, STDOUT_FILENO);
	dup2(output, STDERR_FILENO);
	execv(arguments[0], arguments);
	_exit(EXIT_UNSTARTED);
}

static void read_all(int fd, struct line_reader *reader)
{
	char data[4096];
	ssize_t length;

	while ((length = read(fd, data, sizeof(data))) > 0 ||
	       (length < 0 && errno == EINTR))
		if (length > 0)
			line_reader_feed(reader, data, length);
	line_reader_finish(reader);
}

int child_run(char *const *arguments, line_sink sink, void *context)
{
	struct line_reader reader;
	int ends[2];
	int status = -1;
	pid_t pid;

	if (!line_reader_init(&reader, LINE_LIMIT, sink, context))
		return -1;
	if (pipe2(ends, O_CLOEXEC))
		goto release_reader;
	pid = fork();
	if (pid == 0)
		become(arguments, ends[1]);
	close(ends[1]);
	if (pid < 0)
		goto close_pipe;
	read_all(ends[0], &reader);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;

close_pipe:
	close(ends[0]);
release_reader:
	line_reader_release(&reader);
	return status;
}

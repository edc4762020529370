// SPDX-License-Identifier: GPL-2.0-only
/*
 * cts-merge: makes one stream of those of several guests that run side by side.
 * Each line goes out whole and at once, so that nothing is lost here whatever
 * happens, and carries the number of its guest; cts-report does the sorting.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stream/line.h"

#define EXIT_USAGE	2
#define EXIT_LOST	125

/* As in cts-report: a schedule of many jobs is one line. */
#define LINE_LIMIT	(16 << 20)

static const char help[] =
"Usage: cts-merge FILE...\n"
"Read streams of cts-agent side by side, pipes as a rule, and write the lines of\n"
"all to standard output as they come. A record of the K-th FILE gets the member\n"
"\"guest\":K.\n"
"\n"
"Exit status: 0 all came to their end; 2 usage, or a file cannot be read;\n"
"125 nobody takes what is written.\n";

struct input {
	int number;		/* as the records show it, from 1 */
	const char *path;
	struct line_reader reader;
};

/* Whether a member can be put behind the first brace: "{}" has no place. */
static bool is_record(const char *text, size_t length)
{
	size_t next = 1;

	if (!length || *text != '{')
		return false;
	while (next < length && isspace((unsigned char)text[next]))
		next++;
	return next < length && text[next] == '"';
}

/* A piece of a line becomes a line: what follows it may be another guest's. */
static void put_line(void *context, const char *text, size_t length, bool whole)
{
	const struct input *input = context;

	(void)whole;
	if (is_record(text, length)) {
		printf("{\"guest\":%d,", input->number);
		text++;
		length--;
	}
	fwrite(text, 1, length, stdout);
	putchar('\n');
}

static int open_inputs(struct input *inputs, struct pollfd *fds, char **paths,
		       int count)
{
	for (int i = 0; i < count; i++) {
		inputs[i].number = i + 1;
		inputs[i].path = paths[i];
		/* The guests need not begin to write in this order. */
		fds[i].fd = open(paths[i], O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		fds[i].events = POLLIN;
		if (fds[i].fd < 0 ||
		    !line_reader_init(&inputs[i].reader, LINE_LIMIT, put_line,
				      &inputs[i])) {
			fprintf(stderr, "cts-merge: cannot read %s: %s\n",
				paths[i], strerror(errno));
			return EXIT_USAGE;
		}
	}
	return 0;
}

/* Returns whether there is more to come. */
static bool read_input(struct input *input, int from)
{
	static char data[65536];
	ssize_t length = read(from, data, sizeof(data));

	if (length > 0) {
		line_reader_feed(&input->reader, data, length);
		return true;
	}
	if (length < 0 && (errno == EINTR || errno == EAGAIN))
		return true;
	if (length < 0)
		fprintf(stderr, "cts-merge: cannot read %s: %s\n", input->path,
			strerror(errno));
	line_reader_finish(&input->reader);
	line_reader_release(&input->reader);
	return false;
}

static int merge(struct input *inputs, struct pollfd *fds, int count)
{
	int open = count;

	while (open) {
		if (poll(fds, count, -1) < 0)
			continue;
		for (int i = 0; i < count; i++) {
			if (fds[i].fd < 0 || !fds[i].revents ||
			    read_input(&inputs[i], fds[i].fd))
				continue;
			close(fds[i].fd);
			fds[i].fd = -1;
			open--;
		}
		if (fflush(stdout)) {
			fprintf(stderr, "cts-merge: cannot write the stream: "
				"%s\n", strerror(errno));
			return EXIT_LOST;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	int count = argc - 1;
	struct input *inputs = calloc(argc, sizeof(*inputs));
	struct pollfd *fds = calloc(argc, sizeof(*fds));
	int status;

	if (count && !strcmp(argv[1], "--help"))
		return fputs(help, stdout) < 0;
	if (!count || argv[1][0] == '-' || !inputs || !fds) {
		fprintf(stderr, "cts-merge: wanted are the streams to read\n"
			"Try: cts-merge --help\n");
		return EXIT_USAGE;
	}
	/* The guests end on these; this passes their last words on. */
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	status = open_inputs(inputs, fds, argv + 1, count);
	if (!status)
		status = merge(inputs, fds, count);
	free(inputs);
	free(fds);
	return status;
}

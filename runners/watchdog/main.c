// SPDX-License-Identifier: GPL-2.0-only
/*
 * cts-watchdog: runs a command, passes its output on as it comes, and ends it
 * when it has been silent or has run for too long. A guest whose kernel hangs
 * tells of it in no other way.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "watchdog/options.h"

#define TICK_MS		1000

#define EXIT_SILENT	122
#define EXIT_TIME_OVER	124

enum state { RUNS, ENDED, SILENT, TIME_OVER, READER_LEFT };

static volatile sig_atomic_t child;
static volatile sig_atomic_t asked_to_end;

/* The end of the command is the end of its output, and so of all here. */
static void end_child(int number)
{
	asked_to_end = number;
	if (child > 0)
		kill(child, SIGKILL);
}

static void catch_signals(void)
{
	/* No SA_RESTART: a write that nobody takes is given up as well. */
	struct sigaction action = { .sa_handler = end_child };

	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static void become(char **command, pid_t parent, int output)
{
	/* The command is not left behind when this process is killed. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		raise(SIGKILL);
	signal(SIGPIPE, SIG_DFL);
	dup2(output, STDOUT_FILENO);
	execvp(*command, command);
	fprintf(stderr, "cannot run %s: %s\n", *command, strerror(errno));
	_exit(EXIT_FAILURE);
}

/* Returns where the command's output comes from, or -1. */
static int start(char **command)
{
	pid_t parent = getpid();
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	pid = fork();
	if (!pid)
		become(command, parent, ends[1]);
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return -1;
	}
	child = pid;
	if (asked_to_end)
		end_child(asked_to_end);
	return ends[0];
}

static bool write_all(const char *text, size_t length)
{
	while (length) {
		ssize_t done = write(STDOUT_FILENO, text, length);

		if (done < 0 && (errno != EINTR || asked_to_end))
			return false;
		if (done > 0) {
			text += done;
			length -= done;
		}
	}
	return true;
}

static enum state pass_on(int from)
{
	static char data[65536];
	ssize_t length;

	do {
		length = read(from, data, sizeof(data));
	} while (length < 0 && errno == EINTR);
	if (length <= 0)
		return ENDED;
	return write_all(data, length) ? RUNS : READER_LEFT;
}

static time_t now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/*
 * Silence is counted in ticks that passed here, not read off a clock: nobody
 * spoke while this process was stopped, got no processor, or waited for its
 * reader.
 */
static enum state watch(int from, const struct options *options)
{
	struct pollfd output = { .fd = from, .events = POLLIN };
	time_t start = now_s();
	int patience = options->first;
	int silent = 0;
	enum state state = RUNS;

	while (state == RUNS) {
		int ready = poll(&output, 1, TICK_MS);

		if (options->total && now_s() - start >= options->total)
			return TIME_OVER;
		if (ready > 0) {
			state = pass_on(from);
			patience = options->silence;
			silent = 0;
		} else if (!ready && ++silent == patience) {
			return SILENT;
		}
	}
	return state;
}

/* Returns the command's exit status, as a shell would. */
static int bury(void)
{
	pid_t pid = child;
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return EXIT_FAILURE;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
				     WEXITSTATUS(status);
}

static int run(const struct options *options)
{
	int from = start(options->command);
	enum state state;
	int status;

	if (from < 0) {
		fprintf(stderr, "cannot start %s: %s\n", *options->command,
			strerror(errno));
		return EXIT_FAILURE;
	}
	state = watch(from, options);
	if (state != ENDED)
		kill(child, SIGKILL);
	status = bury();
	/* What it still said is in the pipe. */
	fcntl(from, F_SETFL, O_NONBLOCK);
	while (state != ENDED && pass_on(from) == RUNS)
		;
	if (state == SILENT)
		return EXIT_SILENT;
	return state == TIME_OVER ? EXIT_TIME_OVER : status;
}

int main(int argc, char **argv)
{
	struct options options;
	int status = options_parse(&options, argc, argv);

	if (status >= 0)
		return status;
	/* Nor when whoever started this one is. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	catch_signals();
	return run(&options);
}

// SPDX-License-Identifier: GPL-2.0-only
#include "agent/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/clock.h"
#include "agent/emit.h"
#include "agent/group.h"
#include "agent/kmsg.h"

#define LINE_LIMIT		65536
#define READ_SIZE		16384
/* More than a pipe holds. */
#define READS_PER_TURN		16
/* What still comes from a dead program, unless someone else writes on. */
#define LAST_READS		64
#define TURN_MS			500
#define DEATH_MS		5000
#define DEATH_TURN_MS		20
/* A program that only babbles is silent, too: as many timeouts until then. */
#define RECORD_PATIENCE		8
#define VARIABLE		"DMABUF_CTS_RECORD_FD"

struct channel {
	int fd;			/* read end; -1 once all was read */
	struct line_reader reader;
	long long last_ms;	/* when something came last */
};

struct run {
	const struct process *process;
	struct channel record;
	struct channel output;
	pid_t leader;
	int pidfd;
	bool reaped;
	int status;		/* as waitpid() gives it, once reaped */
};

static void channel_close(struct channel *channel)
{
	if (channel->fd >= 0)
		close(channel->fd);
	channel->fd = -1;
	line_reader_release(&channel->reader);
}

/* Returns the write end, or -1 with errno set. */
static int channel_open(struct channel *channel, line_sink sink, void *context)
{
	int ends[2];

	channel->fd = -1;
	channel->last_ms = clock_ms();
	if (!line_reader_init(&channel->reader, LINE_LIMIT, sink, context)) {
		errno = ENOMEM;
		return -1;
	}
	if (pipe2(ends, O_CLOEXEC))
		return -1;
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	channel->fd = ends[0];
	return ends[1];
}

/* Bytes read, 0 if there are none. */
static size_t channel_read(struct channel *channel, char data[READ_SIZE])
{
	ssize_t length;

	if (channel->fd < 0)
		return 0;
	length = read(channel->fd, data, READ_SIZE);
	if (length > 0) {
		channel->last_ms = clock_ms();
		return length;
	}
	if (length < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	close(channel->fd);
	channel->fd = -1;
	return 0;
}

/* Bounded, or a program that never stops writing would never be ended. */
static void channel_drain(struct channel *channel)
{
	char data[READ_SIZE];
	size_t length;

	for (int i = 0; i < READS_PER_TURN; i++) {
		length = channel_read(channel, data);
		if (!length)
			return;
		line_reader_feed(&channel->reader, data, length);
	}
}

/*
 * A program writes its records before it prints a case's result. So that they
 * also come in that order, output is read first and passed on last: whatever
 * was recorded before it was printed is in the pipe by then.
 */
static void drain_both(struct run *run)
{
	char printed[READ_SIZE];
	size_t length = channel_read(&run->output, printed);

	channel_drain(&run->record);
	line_reader_feed(&run->output.reader, printed, length);
}

static void announce_record_fd(int fd)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", fd);
	setenv(VARIABLE, text, 1);
	fcntl(fd, F_SETFD, 0);
}

static void become(const struct run *run, int record, int output)
{
	const struct process *process = run->process;
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	sigset_t none;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	dup2(null, STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	dup2(output, STDERR_FILENO);
	announce_record_fd(record);
	for (char *const *word = process->environment; *word; word++)
		putenv(*word);
	execv(process->arguments[0], process->arguments);
}

/* Returns 0 or an errno; a failed exec comes back through a pipe. */
static int start(struct run *run, int record, int output)
{
	int failure[2];
	int error = 0;
	pid_t pid;

	if (pipe2(failure, O_CLOEXEC))
		return errno;
	pid = group_fork();
	if (pid == 0) {
		become(run, record, output);
		error = errno;
		if (write(failure[1], &error, sizeof(error)) < 0)
			_exit(126);
		_exit(127);
	}
	close(failure[1]);
	if (pid < 0)
		error = errno;
	else if (read(failure[0], &error, sizeof(error)) < 0)
		error = errno;
	close(failure[0]);
	run->leader = pid;
	if (error && pid > 0)
		waitpid(pid, NULL, 0);
	if (!error)
		run->pidfd = syscall(SYS_pidfd_open, pid, 0);
	return error;
}

static void reap(struct run *run)
{
	if (!run->reaped &&
	    waitpid(run->leader, &run->status, WNOHANG) > 0)
		run->reaped = true;
	/* Orphans of the program fall to this process. */
	while (run->reaped && waitpid(-1, NULL, WNOHANG) > 0)
		;
}

/* Wait for something to happen, and pass on what did. Records come first. */
static void take_turn(struct run *run, int timeout_ms)
{
	struct pollfd events[] = {
		{ .fd = run->record.fd, .events = POLLIN },
		{ .fd = run->output.fd, .events = POLLIN },
		{ .fd = kmsg_fd(), .events = POLLIN },
		{ .fd = run->reaped ? -1 : run->pidfd, .events = POLLIN },
	};

	poll(events, 4, timeout_ms);
	drain_both(run);
	kmsg_drain(run->process->number);
	emit_heartbeat();
	reap(run);
}

static bool is_silent(const struct run *run)
{
	long long now = clock_ms();
	long long last = run->record.last_ms > run->output.last_ms ?
			 run->record.last_ms : run->output.last_ms;
	long long patience = run->process->timeout_ms;

	return now - last > patience ||
	       now - run->record.last_ms > patience * RECORD_PATIENCE;
}

/* End what is left of the program; false if it cannot be ended. */
static bool end_group(struct run *run)
{
	long long start_ms = clock_ms();

	while (!run->reaped || !group_is_empty()) {
		if (clock_ms() - start_ms > DEATH_MS)
			return false;
		group_kill(run->leader);
		take_turn(run, DEATH_TURN_MS);
	}
	return true;
}

static enum process_fate fate_of(int status, int *value)
{
	if (WIFSIGNALED(status)) {
		*value = WTERMSIG(status);
		return PROCESS_SIGNALLED;
	}
	*value = WEXITSTATUS(status);
	return PROCESS_EXITED;
}

static bool has_more(const struct run *run)
{
	struct pollfd events[] = {
		{ .fd = run->record.fd, .events = POLLIN },
		{ .fd = run->output.fd, .events = POLLIN },
	};

	return poll(events, 2, 0) > 0;
}

static struct process_end watch(struct run *run)
{
	const struct process *process = run->process;
	struct process_end end = { 0 };
	bool killed = true;

	for (;;) {
		take_turn(run, TURN_MS);
		killed = !run->reaped;
		if (run->reaped)
			break;
		end.fate = PROCESS_STOPPED;
		if (process->must_stop(process->context))
			break;
		end.fate = PROCESS_TIMED_OUT;
		if (is_silent(run))
			break;
	}
	end.stuck = !end_group(run);
	for (int i = 0; i < LAST_READS && has_more(run); i++)
		drain_both(run);
	line_reader_finish(&run->record.reader);
	line_reader_finish(&run->output.reader);
	if (!killed)
		end.fate = fate_of(run->status, &end.value);
	return end;
}

static void close_if_open(int fd)
{
	if (fd >= 0)
		close(fd);
}

struct process_end process_run(const struct process *process)
{
	struct run run = { .process = process, .pidfd = -1 };
	struct process_end end = { .fate = PROCESS_UNSTARTED };
	int record, output;

	record = channel_open(&run.record, process->record, process->context);
	output = channel_open(&run.output, process->output, process->context);
	if (record < 0 || output < 0)
		end.value = errno;
	else
		end.value = start(&run, record, output);
	close_if_open(record);
	close_if_open(output);
	if (!end.value)
		end = watch(&run);

	close_if_open(run.pidfd);
	channel_close(&run.output);
	channel_close(&run.record);
	return end;
}

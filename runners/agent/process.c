// SPDX-License-Identifier: GPL-2.0-only
#include "agent/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/channel.h"
#include "agent/clock.h"
#include "agent/emit.h"
#include "agent/group.h"
#include "agent/kmsg.h"
#include "agent/request.h"

/* What still comes from a dead program, unless someone else writes on. */
#define LAST_READS		64
#define TURN_MS			50
#define DEATH_MS		5000
#define DEATH_TURN_MS		20
/* A program that only babbles is silent, too: as many timeouts until then. */
#define RECORD_PATIENCE		8
#define RECORD_VARIABLE		"DMABUF_CTS_RECORD_FD"
#define BELL_VARIABLE		"DMABUF_CTS_RECORD_BELL_FD"

/* A process, and what it runs: itself, or, of cts-all, one of many. */
struct run {
	const struct process *process;
	struct channel record;
	struct channel output;
	int bell;		/* the program tells there of urgent records */
	bool rings;		/* it does, and the others can wait for a turn */
	pid_t leader;		/* 0 before it is started */
	int pidfd;
	bool reaped;
	int status;		/* as waitpid() gives it, once reaped */
	int requests;		/* our end of what cts-all is asked by, or -1 */
	bool answered;		/* cts-all told the end of the program it ran */
	bool left;		/* then: some of that goes on */
	int answer;		/* then: as waitpid() gives it */
};

#define NO_RUN \
	{ .record.fd = -1, .output.fd = -1, .bell = -1, .pidfd = -1, \
	  .requests = -1 }

/* Lives as long as nothing happens that a program must be ended for. */
static struct run host = NO_RUN;

/*
 * A program writes its records before it prints a case's result. So that they
 * also come in that order, output is read first and passed on last: whatever
 * was recorded before it was printed is in the pipe by then, also if nothing
 * was @recorded when that was asked last.
 */
static void drain_both(struct run *run, bool recorded)
{
	char printed[CHANNEL_READ_SIZE];
	size_t length = channel_read(&run->output, printed);

	if (recorded || length)
		channel_drain(&run->record);
	line_reader_feed(&run->output.reader, printed, length);
}

static void announce(const char *variable, int fd)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", fd);
	setenv(variable, text, 1);
	fcntl(fd, F_SETFD, 0);
}

/* The child's ends. */
struct ends {
	int input;
	int record;
	int output;
	int bell;
};

static void become(char *const *arguments, char *const *environment,
		   const struct ends *ends)
{
	sigset_t none;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	dup2(ends->input, STDIN_FILENO);
	dup2(ends->output, STDOUT_FILENO);
	dup2(ends->output, STDERR_FILENO);
	announce(RECORD_VARIABLE, ends->record);
	announce(BELL_VARIABLE, ends->bell);
	for (char *const *word = environment; *word; word++)
		putenv(*word);
	execv(arguments[0], arguments);
}

/* Returns 0 or an errno; a failed exec comes back through a pipe. */
static int start_with(struct run *run, char *const *arguments,
		      char *const *environment, const struct ends *ends)
{
	int failure[2];
	int error = 0;
	pid_t pid;

	if (pipe2(failure, O_CLOEXEC))
		return errno;
	pid = group_fork();
	if (pid == 0) {
		become(arguments, environment, ends);
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
	if (error && pid > 0)
		waitpid(pid, NULL, 0);
	if (error)
		return error;
	run->leader = pid;
	run->pidfd = syscall(SYS_pidfd_open, pid, 0);
	return 0;
}

static void close_if_open(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* The child's end of what cts-all is asked by; -1 with errno set. */
static int open_requests(struct run *run)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return -1;
	run->requests = ends[0];
	return ends[1];
}

static int start(struct run *run, char *const *arguments,
		 char *const *environment)
{
	struct ends ends = {
		.input = run == &host ? open_requests(run) :
				open("/dev/null", O_RDONLY | O_CLOEXEC),
		.record = channel_open(&run->record),
		.output = channel_open(&run->output),
		.bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
	};
	int error;

	run->bell = ends.bell;
	if (ends.input < 0 || ends.record < 0 || ends.output < 0 ||
	    ends.bell < 0)
		error = errno;
	else
		error = start_with(run, arguments, environment, &ends);
	close_if_open(ends.input);
	close_if_open(ends.record);
	close_if_open(ends.output);
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

static void take_answer(struct run *run)
{
	if (run->requests >= 0 && !run->answered)
		run->answered = request_answer(run->requests, &run->answer,
					       &run->left);
}

/* Whether there are records to be read: who never rang is read as he writes. */
static bool answer_bell(struct run *run, bool rang, bool wrote)
{
	eventfd_t times;

	if (rang && !eventfd_read(run->bell, &times))
		run->rings = true;
	return wrote || run->rings;
}

/*
 * Wait for something to happen, and pass on what did. Records come first: they
 * tell which case is to blame for what the kernel says. Output can wait until
 * something is due; an emulated processor would otherwise do little but go to
 * and fro between a program and this one. For its sake, too, nothing is asked
 * that poll() has told.
 */
static void take_turn(struct run *run, int timeout_ms)
{
	enum { RECORD, BELL, KMSG, DEATH, ANSWER, EVENTS };
	struct pollfd events[EVENTS] = {
		[RECORD] = { .fd = run->rings ? -1 : run->record.fd,
			     .events = POLLIN },
		[BELL] = { .fd = run->bell, .events = POLLIN },
		[KMSG] = { .fd = kmsg_fd(), .events = POLLIN },
		[DEATH] = { .fd = run->reaped ? -1 : run->pidfd,
			    .events = POLLIN },
		[ANSWER] = { .fd = run->reaped ? -1 : run->requests,
			     .events = POLLIN },
	};

	poll(events, EVENTS, timeout_ms);
	drain_both(run, answer_bell(run, events[BELL].revents,
				    events[RECORD].revents));
	/* What presses goes at once: the kernel may die of what has begun. */
	emit_flush_due();
	if (events[ANSWER].revents)
		take_answer(run);
	/* Once it is dead its orphans are to be reaped; old kernels tell nothing. */
	if (events[DEATH].revents || run->reaped || run->pidfd < 0)
		reap(run);
	/* What the kernel said before the end is said of this job. */
	if (events[KMSG].revents || kmsg_fd() < 0 || run->reaped ||
	    run->answered)
		kmsg_drain(run->process->number);
	emit_heartbeat();
	emit_flush_due();
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
		killed = !run->reaped && !run->answered;
		if (!killed)
			break;
		end.fate = PROCESS_STOPPED;
		if (process->must_stop(process->context))
			break;
		end.fate = PROCESS_TIMED_OUT;
		if (is_silent(run))
			break;
	}
	if (!killed)
		end.fate = fate_of(run->answered ? run->answer : run->status,
				   &end.value);
	if (!run->answered || run->left)
		end.stuck = !end_group(run);
	for (int i = 0; i < LAST_READS && has_more(run); i++)
		drain_both(run, true);
	line_reader_finish(&run->record.reader);
	line_reader_finish(&run->output.reader);
	return end;
}

/*
 * What the kernel has to say when the pair's process goes is said of this job.
 * Returns false if it does not end.
 */
static bool end_pair(struct run *run)
{
	char *const nothing[] = { NULL };
	long long start_ms = clock_ms();

	run->answered = false;
	/* One that died meanwhile is noticed by who asks it next. */
	if (request_send(run->requests, nothing, nothing))
		return true;
	while (!run->answered && !run->reaped) {
		if (clock_ms() - start_ms > DEATH_MS)
			return end_group(run);
		take_turn(run, TURN_MS);
	}
	return true;
}

static void release(struct run *run)
{
	close_if_open(run->pidfd);
	close_if_open(run->requests);
	close_if_open(run->bell);
	channel_close(&run->output);
	channel_close(&run->record);
	*run = (struct run)NO_RUN;
}

static int ask_host(const struct process *process)
{
	return request_send(host.requests, process->arguments,
			    process->environment);
}

/* Where it died while it had nothing to do, another one is asked. */
static int start_hosted(const struct process *process)
{
	char *const arguments[] = { process->host, NULL };
	char *const environment[] = { NULL };
	int error;

	host.answered = false;
	if (host.leader && !ask_host(process))
		return 0;
	process_finish();
	error = start(&host, arguments, environment);
	if (!error)
		error = ask_host(process);
	if (error)
		process_finish();
	return error;
}

/* From now on, what comes is of this program. */
static void begin(struct run *run, const struct process *process)
{
	eventfd_t times;

	run->process = process;
	run->rings = false;
	/* What another one may have rung for was read before its end. */
	eventfd_read(run->bell, &times);
	channel_begin(&run->record, process->record, process->context);
	channel_begin(&run->output, process->output, process->context);
}

struct process_end process_run(const struct process *process)
{
	struct process_end end = { .fate = PROCESS_UNSTARTED };
	struct run own = NO_RUN;
	struct run *run = process->host ? &host : &own;

	/* From here on a kernel may die of what this one does, not those before. */
	emit_flush();
	if (process->host) {
		end.value = start_hosted(process);
	} else {
		process_finish();
		end.value = start(run, process->arguments,
				  process->environment);
	}
	begin(run, process);
	if (!end.value)
		end = watch(run);
	if (process->host && process->last && run->answered && !run->reaped)
		end.stuck = !end_pair(run);
	if (!run->answered || run->reaped || end.stuck)
		release(run);
	return end;
}

void process_finish(void)
{
	struct pollfd death = { .fd = host.pidfd, .events = POLLIN };

	if (!host.leader)
		return;
	close_if_open(host.requests);
	host.requests = -1;
	poll(&death, 1, DEATH_MS);
	kill(host.leader, SIGKILL);
	waitpid(host.leader, NULL, 0);
	release(&host);
}

// SPDX-License-Identifier: GPL-2.0-only
#include "pair/pair_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pair/harness_exit.h"
#include "pair/pool.h"
#include "pair/program.h"
#include "pair/spare_fork.h"

#define EXIT_CANNOT_JUDGE	125
#define EXIT_NOT_EXECUTED	127
/* More than there are programs. */
#define RUNS_MAX		64
/* Where death wakes nobody. */
#define TURN_MS			50

static struct {
	pid_t pid;		/* 0: there is none */
	int pidfd;
	int socket;
	struct words variables;
	const struct clause_program *ran[RUNS_MAX];
	size_t ran_count;
} process;

/* As if it had been started for this alone. */
static void detach(void)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setsid();
	dup2(null, STDIN_FILENO);
	close(null);
}

/* The harness of the program that runs. */
static int (*run_harness)(int argc, char **argv);

static int run_cases(int argc, char **argv)
{
	int status;

	spare_forks(true);
	/* The last harness has read arguments of its own. */
	optind = 0;
	status = harness_exit_status(run_harness, argc, argv);
	spare_forks(false);
	return status;
}

static int run_ours(const struct clause_program *program, int argc, char **argv)
{
	struct clause_program spared = *program;

	/* It can say itself whether the program left any. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	run_harness = program->run;
	spared.run = run_cases;
	return program_run(&spared, argc, argv);
}

static const struct clause_program *find(const struct words *arguments)
{
	return program_find(basename(arguments->vector[0]));
}

static int run(const struct words *arguments)
{
	const struct clause_program *program = find(arguments);

	if (program)
		return run_ours(program, arguments->count, arguments->vector);
	execv(arguments->vector[0], arguments->vector);
	fprintf(stderr, "cts-all: cannot run %s: %m\n", arguments->vector[0]);
	return EXIT_NOT_EXECUTED;
}

/* Orphans of a program fall to the process that ran it, and after its end to its parent. */
static bool has_left_some(void)
{
	pid_t orphan;

	do
		orphan = waitpid(-1, NULL, WNOHANG);
	while (orphan > 0);
	return orphan == 0;
}

static bool answer(int socket, int status)
{
	struct program_end end = { .status = W_EXITCODE(status & 0xff, 0) };

	fflush(stdout);
	end.left_some = has_left_some();
	return send(socket, &end, sizeof(end), MSG_NOSIGNAL) == sizeof(end);
}

/* The first one's @arguments are at hand, those of the others come by @socket. */
static void __attribute__((noreturn)) serve(int socket,
					    const struct words *arguments,
					    const struct words *variables)
{
	FILE *requests = fdopen(socket, "r");
	struct words next;

	detach();
	for (int i = 0; i < variables->count; i++)
		putenv(variables->vector[i]);
	if (!requests || !answer(socket, run(arguments)))
		exit(EXIT_CANNOT_JUDGE);
	while (words_read(requests, &next)) {
		if (!answer(socket, run(&next)))
			break;
		words_release(&next);
	}
	exit(EXIT_SUCCESS);
}

static void __attribute__((noreturn)) cannot_judge(const char *what)
{
	fprintf(stderr, "cts-all: %s: %m\n", what);
	exit(EXIT_CANNOT_JUDGE);
}

/* Takes @variables. */
static void start(const struct words *arguments, struct words *variables)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		cannot_judge("cannot start a program");
	process.pid = fork();
	if (process.pid < 0)
		cannot_judge("cannot start a program");
	if (process.pid == 0) {
		close(ends[0]);
		serve(ends[1], arguments, variables);
	}
	close(ends[1]);
	process.socket = ends[0];
	process.pidfd = syscall(SYS_pidfd_open, process.pid, 0);
	process.variables = *variables;
	process.ran_count = 0;
	*variables = (struct words){ 0 };
}

static void forget(bool left_some)
{
	close(process.socket);
	if (process.pidfd >= 0)
		close(process.pidfd);
	words_release(&process.variables);
	process.pid = 0;
	pool_renew(left_some);
}

/* The harness cannot run a program twice: it keeps how each case ended. */
static bool has_run(const struct clause_program *program)
{
	for (size_t i = 0; i < process.ran_count; i++)
		if (process.ran[i] == program)
			return true;
	return false;
}

static bool can_run(const struct words *arguments,
		    const struct words *variables)
{
	const struct clause_program *program = find(arguments);

	return process.pid && program && !has_run(program) &&
	       process.ran_count < RUNS_MAX &&
	       words_equal(&process.variables, variables) &&
	       !words_write(process.socket, arguments);
}

static struct program_end wait_for_end(void)
{
	struct pollfd events[] = {
		{ .fd = process.socket, .events = POLLIN },
		{ .fd = process.pidfd, .events = POLLIN },
	};
	struct program_end end;
	ssize_t length;
	pid_t died = 0;

	/* An orphan may hold the other end of the socket when it is dead. */
	while (!died) {
		poll(events, 2, process.pidfd < 0 ? TURN_MS : -1);
		length = recv(process.socket, &end, sizeof(end), MSG_DONTWAIT);
		if (length == sizeof(end))
			return end;
		/* A stranger is executed without it; then there is its death. */
		if (length == 0)
			events[0].fd = -1;
		died = waitpid(process.pid, &end.status, WNOHANG);
	}
	if (died < 0)
		cannot_judge("cannot learn how a program ended");
	end.left_some = has_left_some();
	forget(end.left_some);
	return end;
}

struct program_end pair_process_run(const struct words *arguments,
				    struct words *variables)
{
	if (!can_run(arguments, variables)) {
		pair_process_end();
		start(arguments, variables);
	}
	process.ran[process.ran_count++] = find(arguments);
	return wait_for_end();
}

void pair_process_end(void)
{
	if (!process.pid)
		return;
	shutdown(process.socket, SHUT_WR);
	waitpid(process.pid, NULL, 0);
	forget(has_left_some());
}

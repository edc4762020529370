// SPDX-License-Identifier: GPL-2.0-only
#include "bare/child.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define STATUS_OF_SIGNALS	128

static const int signals[] = { SIGTERM, SIGINT, SIGHUP };

#define SIGNAL_COUNT	(sizeof(signals) / sizeof(signals[0]))

static volatile sig_atomic_t stopped;
static volatile pid_t running;

static void pass_on(int signal)
{
	stopped = 1;
	if (running > 0)
		kill(running, signal);
}

static void handle(void (*handler)(int))
{
	const struct sigaction action = {
		.sa_handler = handler,
		.sa_flags = SA_RESTART,
	};

	for (size_t i = 0; i < SIGNAL_COUNT; i++)
		sigaction(signals[i], &action, NULL);
}

static void hold_signals(int how)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < SIGNAL_COUNT; i++)
		sigaddset(&set, signals[i]);
	sigprocmask(how, &set, NULL);
}

void child_prepare(void)
{
	handle(pass_on);
}

pid_t child_start(void)
{
	pid_t child;

	/* Nothing buffered may be written twice. */
	fflush(stdout);
	/* One that comes now is for the child as soon as we know it. */
	hold_signals(SIG_BLOCK);
	child = fork();
	if (child)
		running = child;
	else
		handle(SIG_DFL);
	hold_signals(SIG_UNBLOCK);
	return child;
}

int child_wait(pid_t child)
{
	int status;

	if (child < 0 || waitpid(child, &status, 0) < 0) {
		perror("cannot run a process");
		return EXIT_FAILURE;
	}
	running = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) :
				   STATUS_OF_SIGNALS + WTERMSIG(status);
}

bool child_stopped(void)
{
	return stopped;
}

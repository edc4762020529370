// SPDX-License-Identifier: GPL-2.0-only
/* Runs a call beside the test and looks whether it sleeps. */
#include "oracle/thread.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "pair/await.h"
#include "pair/kernel.h"

#define ARRIVAL_MS	3000

static void *run(void *context)
{
	struct thread *thread = context;

	thread->id = gettid();
	thread->result = thread->call(thread->argument);
	thread->done = true;
	return NULL;
}

int thread_start(struct thread *thread, int (*call)(void *argument),
		 void *argument)
{
	memset(thread, 0, sizeof(*thread));
	thread->call = call;
	thread->argument = argument;
	return -pthread_create(&thread->thread, NULL, run, thread);
}

/* The state stands behind the name in parentheses. */
char thread_state(struct thread *thread)
{
	char path[64], line[512];
	const char *name_end;

	if (!thread->id || thread->done)
		return 0;
	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", thread->id);
	if (kernel_read_line(path, line, sizeof(line)) < 0)
		return 0;
	name_end = strrchr(line, ')');
	return name_end && name_end[1] ? name_end[2] : 0;
}

static bool sleeps(struct thread *thread)
{
	char state = thread_state(thread);

	return state == 'S' || state == 'D';
}

static void pause_ms(unsigned int ms)
{
	struct timespec time = { ms / 1000, ms % 1000 * 1000000L };

	while (nanosleep(&time, &time) && errno == EINTR)
		;
}

/* On its way a call may sleep for other reasons: then it is looked at again. */
bool thread_waits(struct thread *thread, unsigned int ms)
{
	int64_t end = await_clock_ms() + ARRIVAL_MS;

	while (!thread->done && await_clock_ms() < end) {
		if (sleeps(thread)) {
			pause_ms(ms);
			if (sleeps(thread))
				return true;
		}
		pause_ms(1);
	}
	return false;
}

static void do_nothing(int signal)
{
	(void)signal;
}

int thread_interrupt(struct thread *thread)
{
	const struct sigaction action = { .sa_handler = do_nothing };

	if (sigaction(SIGUSR1, &action, NULL))
		return -errno;
	return -pthread_kill(thread->thread, SIGUSR1);
}

int thread_join(struct thread *thread, unsigned int ms, int *result)
{
	struct timespec deadline;

	clock_gettime(CLOCK_MONOTONIC, &deadline);
	deadline.tv_sec += ms / 1000;
	deadline.tv_nsec += ms % 1000 * 1000000L;
	if (deadline.tv_nsec >= 1000000000L) {
		deadline.tv_nsec -= 1000000000L;
		deadline.tv_sec++;
	}
	if (pthread_clockjoin_np(thread->thread, NULL, CLOCK_MONOTONIC,
				 &deadline))
		return -ETIMEDOUT;
	if (result)
		*result = thread->result;
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/* Runs a call beside the test and looks whether it sleeps. */
#include "oracle/thread.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "pair/kernel.h"

#define ARRIVAL_MS	1000

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

/* Asleep: state S or D, which stands behind the name in parentheses. */
static bool sleeps(struct thread *thread)
{
	char path[64], line[512];
	const char *state;

	if (!thread->id || thread->done)
		return false;
	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", thread->id);
	if (kernel_read_line(path, line, sizeof(line)) < 0)
		return false;
	state = strrchr(line, ')');
	return state && (state[2] == 'S' || state[2] == 'D');
}

static void pause_ms(unsigned int ms)
{
	struct timespec time = { ms / 1000, ms % 1000 * 1000000L };

	while (nanosleep(&time, &time) && errno == EINTR)
		;
}

bool thread_waits(struct thread *thread, unsigned int ms)
{
	for (int i = 0; i < ARRIVAL_MS && !sleeps(thread); i++) {
		if (thread->done)
			return false;
		pause_ms(1);
	}
	if (!sleeps(thread))
		return false;
	pause_ms(ms);
	return sleeps(thread);
}

int thread_join(struct thread *thread, unsigned int ms, int *result)
{
	struct timespec deadline;

	clock_gettime(CLOCK_REALTIME, &deadline);
	deadline.tv_sec += ms / 1000;
	deadline.tv_nsec += ms % 1000 * 1000000L;
	if (deadline.tv_nsec >= 1000000000L) {
		deadline.tv_nsec -= 1000000000L;
		deadline.tv_sec++;
	}
	if (pthread_timedjoin_np(thread->thread, NULL, &deadline))
		return -ETIMEDOUT;
	if (result)
		*result = thread->result;
	return 0;
}

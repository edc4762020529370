// SPDX-License-Identifier: GPL-2.0-only
#include "pair/stress.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "pair/await.h"

#define SECONDS_DEFAULT	2
#define LAST_STEP_MS	20000
/* The runner takes a program that says nothing for dead. */
#define SAY_MS		5000
#define LOOK_US		20000

static atomic_bool over;

static unsigned long from_environment(const char *name, unsigned long fallback)
{
	const char *text = getenv(name);
	unsigned long number;
	char *end;

	if (!text || !*text)
		return fallback;
	errno = 0;
	number = strtoul(text, &end, 10);
	if (!*end && !errno)
		return number;
	fprintf(stderr, "%s wants a number, not '%s'\n", name, text);
	abort();
}

static unsigned long seconds(void)
{
	unsigned long wanted = from_environment(STRESS_SECONDS_VARIABLE,
						SECONDS_DEFAULT);

	return wanted < STRESS_SECONDS_MAX ? wanted : STRESS_SECONDS_MAX;
}

unsigned int stress_random(struct worker *worker, unsigned int below)
{
	/* Numerical Recipes' 64-bit congruence: the upper half is good enough. */
	worker->random = worker->random * 6364136223846793005ull +
			 1442695040888963407ull;
	return (worker->random >> 33) % below;
}

void stress_pause(struct worker *worker, unsigned int most_us)
{
	unsigned int us = stress_random(worker, most_us + 1);

	if (us)
		usleep(us);
}

static int run(void *argument)
{
	struct worker *worker = argument;
	int ret = 0;

	while (!ret && !over) {
		ret = worker->step(worker);
		worker->rounds++;
	}
	if (ret)
		over = true;
	return ret;
}

static void say_rounds(const struct worker *workers, size_t count)
{
	printf("# stress: rounds");
	for (size_t i = 0; i < count; i++)
		printf(" %lu", workers[i].rounds);
	printf("\n");
	fflush(stdout);
}

static void wait_for_the_end(const struct worker *workers, size_t count,
			     unsigned long duration_s)
{
	int64_t end = await_clock_ms() + duration_s * 1000;
	int64_t next = await_clock_ms() + SAY_MS;

	while (!over && await_clock_ms() < end) {
		usleep(LOOK_US);
		if (await_clock_ms() < next)
			continue;
		say_rounds(workers, count);
		next += SAY_MS;
	}
	over = true;
}

/* All together have that long: a program that is silent for much longer is ended. */
static int join_all(struct worker *workers, size_t count)
{
	int64_t until = await_clock_ms() + LAST_STEP_MS;
	int error = 0;

	for (size_t i = 0; i < count; i++) {
		int64_t left = until - await_clock_ms();
		int result = 0;
		int late = thread_join(&workers[i].thread, left > 0 ? left : 0,
				       &result);

		if (late || result)
			printf("# stress: worker %zu: %s\n", i, late ?
			       "its last step does not end" : "failed");
		if (!error)
			error = late ?: result;
	}
	return error;
}

int stress_run(struct worker *workers, size_t count)
{
	unsigned long seed = from_environment(STRESS_SEED_VARIABLE,
					      await_clock_ms() & 0xffffff);
	unsigned long duration_s = seconds();
	int ret = 0, error;
	size_t started;

	printf("# stress: %lu s with %zu workers; again: %s=%lu\n", duration_s,
	       count, STRESS_SEED_VARIABLE, seed);
	fflush(stdout);
	over = false;
	for (started = 0; !ret && started < count; started++) {
		workers[started].number = started;
		workers[started].rounds = 0;
		workers[started].random = seed * count + started;
		ret = thread_start(&workers[started].thread, run,
				   &workers[started]);
	}
	if (ret) {
		started--;
		over = true;
	}
	wait_for_the_end(workers, started, duration_s);
	error = join_all(workers, started);
	say_rounds(workers, started);
	return ret ?: error;
}

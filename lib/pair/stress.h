/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Races that are run for a while: workers in threads of their own, each doing
 * its step again and again, with choices that a seed decides.
 */
#ifndef CTS_STRESS_H
#define CTS_STRESS_H

#include <stddef.h>
#include <stdint.h>

#include "oracle/thread.h"

#define STRESS_SECONDS_VARIABLE	"DMABUF_CTS_STRESS_SECONDS"
#define STRESS_SEED_VARIABLE	"DMABUF_CTS_STRESS_SEED"
/* A case ends within that, and some: see CLAUSE_TEST_TIMEOUT(). */
#define STRESS_SECONDS_MAX	300
#define STRESS_TIMEOUT_S	(STRESS_SECONDS_MAX + 60)

struct worker {
	/* Returns 0 to be called again, or a negative errno to end it all. */
	int (*step)(struct worker *worker);
	void *shared;		/* what all workers of a case know */
	unsigned int number;	/* set by stress_run(): the first is 0 */
	unsigned long rounds;	/* likewise: steps that are done */
	uint64_t random;
	struct thread thread;
};

/**
 * stress_random - the worker's next random number
 * @worker: the worker
 * @below: what it is less than, at least 1
 */
unsigned int stress_random(struct worker *worker, unsigned int below);

/**
 * stress_pause - sleep for a random time
 * @worker: the worker
 * @most_us: microseconds at most
 */
void stress_pause(struct worker *worker, unsigned int most_us);

/**
 * stress_run - let workers do their steps side by side
 * @workers: @step and @shared of each are set
 * @count: how many
 *
 * For as many seconds as STRESS_SECONDS_VARIABLE says (2), with the seed of
 * STRESS_SEED_VARIABLE (one of the clock's), which is printed. A seed decides
 * what is done; when the threads take turns is up to the machine.
 *
 * Return: 0, -ETIMEDOUT if a worker's step did not end, or the first error of
 * a worker.
 */
int stress_run(struct worker *workers, size_t count);

#endif

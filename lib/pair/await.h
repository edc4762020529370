/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Waiting for what another task, or the kernel behind a call that returned,
 * still has to do. Where it is done already, no time passes.
 */
#ifndef CTS_AWAIT_H
#define CTS_AWAIT_H

#include <stdint.h>
#include <time.h>
#include <unistd.h>

#define AWAIT_STEP_US	200
#define AWAIT_STEP_MOST_US	2000

/* Milliseconds of a clock that nobody sets. */
static inline int64_t await_clock_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/*
 * What does not come at once is looked for less and less often: each look wakes a
 * processor, of which an emulated guest has one, and others wait for it.
 */
static inline void await_step(unsigned int *us)
{
	usleep(*us);
	*us = *us < AWAIT_STEP_MOST_US / 2 ? *us * 2 : AWAIT_STEP_MOST_US;
}

/**
 * comes_true - look again and again until something holds
 * @ms: how long to go on
 * @condition: an expression, evaluated at least once
 *
 * Return: true as soon as it holds, false if it never did.
 */
#define comes_true(ms, condition) \
	({ \
		int64_t end_ = await_clock_ms() + (ms); \
		unsigned int step_ = AWAIT_STEP_US; \
		bool holds_; \
\
		while (!(holds_ = (condition)) && await_clock_ms() < end_) \
			await_step(&step_); \
		holds_; \
	})

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers that follow from a seed, one stream for each thread. */
#ifndef GARBAGE_RANDOM_H
#define GARBAGE_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct random {
	uint64_t state;
};

/* splitmix64 */
static inline uint64_t next(struct random *random)
{
	uint64_t z = random->state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

static inline unsigned int below(struct random *random, unsigned int bound)
{
	return next(random) % bound;
}

static inline bool one_in(struct random *random, unsigned int n)
{
	return below(random, n) == 0;
}

#endif

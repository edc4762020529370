/* SPDX-License-Identifier: GPL-2.0-only */
/* Has storage leave memory of a device by filling that: when it did, when to give up. */
#ifndef CTS_PRESSURE_H
#define CTS_PRESSURE_H

#include <stdbool.h>
#include <stdint.h>

/* What else than that a step gains nothing may be chance, as with a lock held. */
#define PRESSURE_IDLE_STEPS	4

struct pressure_ops {
	/* 1 while the storage is there, 0 once it is elsewhere, or a negative errno. */
	int (*is_there)(void *context);
	/*
	 * Takes some more of the memory. The bytes by which all that was taken
	 * is now more of it, or a negative errno.
	 */
	int64_t (*take)(void *context);
	bool (*is_late)(void *context);
};

/**
 * pressure_evict - take memory until the storage has left it
 * @ops: what is done to it
 * @context: handed to @ops
 *
 * Who evicts begins with what was there longest. As soon as what is taken only
 * pushes out what was taken before, all that could leave did; so that no one
 * need know how much of that memory there is.
 *
 * Return: 0; -EBUSY if it is there still, and all that could leave did;
 * -ENOMEM if none of that memory could be had; -ETIMEDOUT; or what @ops gave.
 */
int pressure_evict(const struct pressure_ops *ops, void *context);

#endif

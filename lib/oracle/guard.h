/* SPDX-License-Identifier: GPL-2.0-only */
/* Puts right what a process changed of the machine, should it die before it does so. */
#ifndef CTS_GUARD_H
#define CTS_GUARD_H

#include <sys/types.h>

/**
 * guard_start - have something done when this process dies
 * @undo: what; it is called in another process
 * @argument: for it, as it is now
 *
 * Starts a process that outlives this one, however that is ended. It keeps no
 * descriptor, but mappings: those of a device that is to be taken away must be
 * gone. Call this before the change, and guard_stop() once that is undone.
 *
 * Return: the process, or a negative errno.
 */
pid_t guard_start(void (*undo)(const void *argument), const void *argument);

/**
 * guard_stop - end that process
 * @guard: what guard_start() returned
 */
void guard_stop(pid_t guard);

#endif

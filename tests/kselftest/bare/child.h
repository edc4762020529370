/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Work in a process of its own, so that whoever ends us with a signal still
 * has us put things back.
 */
#ifndef KSELFTEST_CHILD_H
#define KSELFTEST_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * child_prepare - from now on, signals that should end us are for the child
 */
void child_prepare(void);

/**
 * child_start - fork
 *
 * Return: as of fork(); there is one child at a time.
 */
pid_t child_start(void);

/**
 * child_wait - wait for the child
 * @child: from child_start()
 *
 * Return: its exit status, or 128 and the number of the signal that ended it.
 */
int child_wait(pid_t child);

/**
 * child_stopped - whether a signal has come that should end us
 */
bool child_stopped(void);

#endif

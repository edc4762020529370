/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All processes of one job, so that they can be ended together: a cgroup where
 * one can be made, else the session that the job's first process leads and what
 * of it became an orphan. There is one job at a time, so one cgroup serves all;
 * making one for each would cost more than a small job does. cts-all, which runs
 * several, counts as one process of the job at hand.
 */
#ifndef CTS_AGENT_GROUP_H
#define CTS_AGENT_GROUP_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * group_begin - make the cgroup
 *
 * Return: whether there is one; without it a group is a session.
 */
bool group_begin(void);

/* Remove the cgroup. */
void group_end(void);

/**
 * group_fork - fork, the child being a new group's first process
 *
 * Return: as fork() does.
 */
pid_t group_fork(void);

/* Send SIGKILL to every process of the group that @leader began. */
void group_kill(pid_t leader);

/*
 * Whether no process of any group is left, not even one to be reaped. This
 * process must be the reaper of orphans, and must have no children but jobs.
 */
bool group_is_empty(void);

#endif

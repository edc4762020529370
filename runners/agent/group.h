/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All processes of one job, so that they can be ended together: a cgroup where
 * one can be made, else the session that the job's first process leads and what
 * of it became an orphan.
 */
#ifndef CTS_AGENT_GROUP_H
#define CTS_AGENT_GROUP_H

#include <stdbool.h>
#include <sys/types.h>

struct group {
	char cgroup[512];	/* its folder, or empty */
	pid_t leader;		/* also the session's id */
};

/**
 * group_open - make an empty group
 * @number: of the job; names the cgroup
 *
 * Never fails: without a cgroup of its own the group is a session.
 */
void group_open(struct group *group, int number);

/* In the new child: become the group's first process. */
void group_enter(const struct group *group);

/* Send SIGKILL to every process of the group. */
void group_kill(const struct group *group);

/* Whether no process of the group is left, the leader (reaped by now) apart. */
bool group_is_empty(const struct group *group);

void group_close(struct group *group);

/* Whether cgroups can be made here. */
bool group_has_cgroups(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A control group for one process of a test, right below the root of the
 * hierarchy, where any controller can be had.
 */
#ifndef CTS_CGROUP_H
#define CTS_CGROUP_H

#include <stdbool.h>
#include <stddef.h>

struct cgroup {
	char path[320];		/* empty: not made */
	char root[256];
	char controller[16];
	bool enabled;		/* the controller was off before */
};

/**
 * cgroup_make - make a group that has a controller
 * @cgroup: filled; give it back with cgroup_remove()
 * @controller: "memory", "rdma", "dmem"
 *
 * Switches the controller on for the whole hierarchy if it is not.
 *
 * Return: 0, -ENODEV if there is no cgroup2 or no such controller in it, or
 * another negative errno.
 */
int cgroup_make(struct cgroup *cgroup, const char *controller);

/**
 * cgroup_remove - remove it, and switch the controller off if it was off
 *
 * No process may be left in it.
 */
void cgroup_remove(struct cgroup *cgroup);

/**
 * cgroup_join - move this process into it
 *
 * Return: 0 or a negative errno.
 */
int cgroup_join(const struct cgroup *cgroup);

/**
 * cgroup_leave - move this process to the root of the hierarchy, out of any
 *	group that is ended as a whole
 *
 * Return: 0, -ENODEV if there is no cgroup2, or another negative errno.
 */
int cgroup_leave(void);

/**
 * cgroup_write - write a file of the group
 * @file: its name, "rdma.max"
 *
 * Return: 0 or a negative errno.
 */
int cgroup_write(const struct cgroup *cgroup, const char *file,
		 const char *text);

/**
 * cgroup_sum - add up what a file of the group says of devices
 * @file: its name; its lines are "DEVICE NUMBER" or "DEVICE NAME=NUMBER ..."
 * @device: take the line of this one alone, NULL: all
 * @name: which number, NULL: the one that has no name
 *
 * Return: the sum, or a negative errno; -ENODATA if there is no such number.
 */
long long cgroup_sum(const struct cgroup *cgroup, const char *file,
		     const char *device, const char *name);

/**
 * cgroup_number - read a file that holds one number, as memory.current does
 *
 * Return: the number, or a negative errno.
 */
long long cgroup_number(const struct cgroup *cgroup, const char *file);

#endif

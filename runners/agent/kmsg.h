/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's log, as it is written. */
#ifndef CTS_AGENT_KMSG_H
#define CTS_AGENT_KMSG_H

/**
 * kmsg_open - begin with what the kernel logs from now on
 * @path: /dev/kmsg, or what a test of the agent puts in its place
 *
 * Return: 0, or an errno: the run then has no kernel log.
 */
int kmsg_open(const char *path);

/* File descriptor to poll, or -1. */
int kmsg_fd(void);

/**
 * kmsg_drain - put new messages on the stream
 * @job: number of the job that runs, 0 for none
 */
void kmsg_drain(int job);

/* How many messages it put there so far. */
unsigned long kmsg_count(void);

/* The last line that told of an oops or the like; empty if there was none. */
const char *kmsg_oops(void);

void kmsg_close(void);

#endif

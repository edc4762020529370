/* SPDX-License-Identifier: GPL-2.0-only */
/* The schedule of what was not run, for a fresh guest or after a reboot. */
#ifndef CTS_REPORT_REMAINING_H
#define CTS_REPORT_REMAINING_H

#include <stdbool.h>
#include <stddef.h>

#include "report/model.h"

/* Number of jobs that are not over. */
size_t remaining_count(const struct run *run);

/**
 * remaining_write - write the schedule record of the jobs that are not over
 * @path: the file; empty if there is none
 *
 * Return: true, or false after a message on stderr.
 */
bool remaining_write(const struct run *run, const char *path);

#endif

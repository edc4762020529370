/* SPDX-License-Identifier: GPL-2.0-only */
/* Which of two kernels is older. */
#ifndef CTS_REPORT_KERNEL_VERSION_H
#define CTS_REPORT_KERNEL_VERSION_H

#include <jansson.h>
#include <stdbool.h>

struct kernel_version {
	int part[3];
	int candidate;	/* of 7.3-rc2 the 2; high where there is none */
};

/**
 * kernel_version_parse - read "6.12", "6.12.118+deb13-amd64" or "7.3-rc2"
 *
 * What follows the numbers is a distribution's own affair.
 *
 * Return: true, or false if @text does not begin with two numbers.
 */
bool kernel_version_parse(struct kernel_version *version, const char *text);

/* Negative, 0 or positive, as @one is older than, the same as, or newer. */
int kernel_version_compare(const struct kernel_version *one,
			   const struct kernel_version *other);

/**
 * kernel_version_text - the upstream version of a kernel, "6.1.192"
 * @kernel: as in run.json
 *
 * Distributions may keep one release through a whole series ("6.1.0-57-amd64");
 * then it stands in the text of the version.
 *
 * Return: the text; "" if it cannot be told.
 */
const char *kernel_version_text(const json_t *kernel);

#endif

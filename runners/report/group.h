/* SPDX-License-Identifier: GPL-2.0-only */
/* What happened alike on several pairs, in one line. */
#ifndef CTS_REPORT_GROUP_H
#define CTS_REPORT_GROUP_H

#include <stdbool.h>

#include "report/model.h"

struct group {
	const char *what;
	const char *why;	/* on the first pair; may be empty */
	const char *pair;	/* the first */
	size_t pairs;
};

/**
 * group_add - note what happened on a pair
 * @groups: of struct group
 * @merge: into the group of the same @what, if there is one
 */
void group_add(struct list *groups, const char *what, const struct pair *pair,
	       const char *why, bool merge);

/* "WHAT, PAIR: WHY", or "WHAT, N pairs such as PAIR: WHY". */
const char *group_text(const struct group *group);

#endif

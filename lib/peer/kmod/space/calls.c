// SPDX-License-Identifier: GPL-2.0-only
/* Finds what iommufd exports. */
#include <linux/errno.h>
#include <linux/module.h>

#include "space/space.h"

#define GET(name)	calls->name = symbol_get(name);
#define MISSING(name)	|| !calls->name
#define PUT(name) \
	do { \
		if (calls->name) \
			symbol_put(name); \
	} while (0);

int space_calls_get(struct space_calls *calls)
{
	SPACE_CALLS(GET)
	if (!(false SPACE_CALLS(MISSING)))
		return 0;
	space_calls_put(calls);
	return -EOPNOTSUPP;
}

void space_calls_put(const struct space_calls *calls)
{
	SPACE_CALLS(PUT)
}

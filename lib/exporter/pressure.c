// SPDX-License-Identifier: GPL-2.0-only
/* When storage has left, and when it will not. */
#include "exporter/pressure.h"

#include <errno.h>

int pressure_evict(const struct pressure_ops *ops, void *context)
{
	int64_t gained, all = 0;
	int idle = 0, there;

	while ((there = ops->is_there(context)) > 0) {
		if (idle == PRESSURE_IDLE_STEPS)
			return all ? -EBUSY : -ENOMEM;
		if (ops->is_late(context))
			return -ETIMEDOUT;
		gained = ops->take(context);
		if (gained < 0)
			return gained;
		all += gained;
		idle = gained ? 0 : idle + 1;
	}
	return there;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "report/group.h"

#include <string.h>

static struct group *find_group(const struct list *groups, const char *what)
{
	for_list(struct group *, group, groups)
		if (!strcmp(group->what, what))
			return group;
	return NULL;
}

void group_add(struct list *groups, const char *what, const struct pair *pair,
	       const char *why, bool merge)
{
	struct group *group = merge ? find_group(groups, what) : NULL;

	if (!group) {
		group = memory_get(sizeof(*group));
		*group = (struct group){ what, why ?: "", pair->name, 0 };
		list_add(groups, group);
	}
	group->pairs++;
}

const char *group_text(const struct group *group)
{
	const char *colon = *group->why ? ": " : "";

	if (group->pairs > 1)
		return memory_print("%s, %zu pairs such as %s%s%s", group->what,
				    group->pairs, group->pair, colon,
				    group->why);
	if (strstr(group->what, group->pair))
		return group->what;
	return memory_print("%s, %s%s%s", group->what, group->pair, colon,
			    group->why);
}

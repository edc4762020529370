// SPDX-License-Identifier: GPL-2.0-only
/* Facts that a kernel declares: which readers are asked, and how they say it. */

#include "clause/fact.h"

#include <stdio.h>

void fact_settle(struct fact *fact, enum fact_state state, const char *file)
{
	fact->state = state;
	snprintf(fact->file, sizeof(fact->file), "%s", file);
}

void facts_read(const char *root, const char *release, struct fact *facts,
		size_t count)
{
	for (size_t i = 0; i < count; i++)
		fact_settle(&facts[i], UNKNOWN, "");

	facts_read_btf(root, release, facts, count);
	facts_read_symbols(root, facts, count);
	facts_read_headers(root, release, facts, count);
	facts_read_options(root, release, facts, count);
}

static void format_option(const struct fact *fact, char *text, size_t size)
{
	static const char *const said[] = {
		[UNLISTED] = "does not list",
		[ABSENT] = "unsets",
		[PRESENT] = "sets",
	};

	snprintf(text, size, "%s %s %s", fact->file, said[fact->state],
		 fact->name);
}

void fact_format(const struct fact *fact, char *text, size_t size)
{
	const char *not = fact->state == PRESENT ? "" : "no ";

	if (fact->state == UNKNOWN)
		snprintf(text, size, "nothing tells of %s%s%s", fact->name,
			 fact->member ? "." : "",
			 fact->member ? fact->member : "");
	else if (fact->kind == FACT_OPTION)
		format_option(fact, text, size);
	else if (fact->kind == FACT_MEMBER)
		snprintf(text, size, "%s: struct %s has %s%s", fact->file,
			 fact->name, not, fact->member);
	else
		snprintf(text, size, "%s: the kernel has %s%s()", fact->file,
			 not, fact->name);
}

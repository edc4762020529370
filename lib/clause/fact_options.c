// SPDX-License-Identifier: GPL-2.0-only
/* Facts about options from the kernel's configuration. */

#include "clause/fact.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pair/kernel_config.h"

static bool has_line(const char *text, const char *before, const char *option,
		     const char *after)
{
	char line[128];

	snprintf(line, sizeof(line), "\n%s%s%s", before, option, after);
	return strstr(text, line) != NULL;
}

static enum fact_state state_of(const char *text, const char *option)
{
	if (has_line(text, "", option, "="))
		return PRESENT;
	if (has_line(text, "# ", option, " is not set\n"))
		return ABSENT;
	return UNLISTED;
}

void facts_read_options(const char *root, const char *release,
			struct fact *facts, size_t count)
{
	char name[FACT_FILE_SIZE];
	char *text = kernel_config_read(root, release, name, sizeof(name));

	if (!text)
		return;
	for (size_t i = 0; i < count; i++)
		if (facts[i].kind == FACT_OPTION)
			fact_settle(&facts[i], state_of(text, facts[i].name),
				    name);
	free(text);
}

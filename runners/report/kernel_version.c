// SPDX-License-Identifier: GPL-2.0-only
#include "report/kernel_version.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/memory.h"
#include "stream/text.h"

bool kernel_version_parse(struct kernel_version *version, const char *text)
{
	int count = 0;

	*version = (struct kernel_version){ .candidate = INT_MAX };
	while (isdigit((unsigned char)*text)) {
		char *end;

		version->part[count++] = strtol(text, &end, 10);
		text = end;
		if (count == 3 || *text != '.' ||
		    !isdigit((unsigned char)text[1]))
			break;
		text++;
	}
	if (!strncmp(text, "-rc", 3) && isdigit((unsigned char)text[3]))
		version->candidate = atoi(text + 3);
	return count >= 2;
}

int kernel_version_compare(const struct kernel_version *one,
			   const struct kernel_version *other)
{
	for (int i = 0; i < 3; i++)
		if (one->part[i] != other->part[i])
			return one->part[i] < other->part[i] ? -1 : 1;
	return (one->candidate > other->candidate) -
	       (one->candidate < other->candidate);
}

static const char *print_version(const struct kernel_version *version)
{
	const char *numbers = memory_print("%d.%d.%d", version->part[0],
					   version->part[1], version->part[2]);

	return version->candidate == INT_MAX ? numbers :
	       memory_print("%s-rc%d", numbers, version->candidate);
}

/* The newest word of that series in a text, if it is newer than @version. */
static void find_newer(struct kernel_version *version, const char *text,
		       const char *series)
{
	size_t length = strlen(series);
	struct kernel_version found;

	for (; length && text; text = strchr(text, ' ')) {
		text += strspn(text, " ");
		if (!strncmp(text, series, length) && text[length] == '.' &&
		    kernel_version_parse(&found, text) &&
		    kernel_version_compare(&found, version) > 0)
			*version = found;
	}
}

const char *kernel_version_text(const json_t *kernel)
{
	struct kernel_version version;

	if (!kernel_version_parse(&version, text_member(kernel, "release", "")))
		return "";
	find_newer(&version, text_member(kernel, "version", ""),
		   text_member(kernel, "series", ""));
	return print_version(&version);
}

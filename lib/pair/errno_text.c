// SPDX-License-Identifier: GPL-2.0-only
/* Results for people. */
#include <stdio.h>
#include <string.h>

#include "pair/errno_text.h"

const char *errno_text(long result)
{
	static char text[96];
	const char *name = strerrorname_np(-result);

	if (result >= 0)
		snprintf(text, sizeof(text), "%ld", result);
	else if (name)
		snprintf(text, sizeof(text), "%s (%s)", name,
			 strerror(-result));
	else
		snprintf(text, sizeof(text), "errno %ld", -result);
	return text;
}

// SPDX-License-Identifier: GPL-2.0-only
/* Results for people. */
#include "pair/errno_text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The suite's own use of an errno says more than the C library's text. */
static const char *meaning(int error)
{
	return error == EILSEQ ? "the content differs" : strerror(error);
}

const char *errno_text(long result)
{
	static char text[96];
	const char *name = strerrorname_np(-result);

	if (result >= 0)
		snprintf(text, sizeof(text), "%ld", result);
	else if (name)
		snprintf(text, sizeof(text), "%s (%s)", name,
			 meaning(-result));
	else
		snprintf(text, sizeof(text), "errno %ld", -result);
	return text;
}

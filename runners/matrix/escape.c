// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/escape.h"

#include <string.h>

void escape_markdown(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (strchr("\\`*_[]<>|#", *text))
			fputc('\\', out);
		fputc(*text == '\n' ? ' ' : *text, out);
	}
}

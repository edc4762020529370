// SPDX-License-Identifier: GPL-2.0-only
#include "bundle/wrong.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static size_t count;

/* Names in a hostile archive may hold what a terminal would obey. */
static void print_line(FILE *out, const char *format, va_list arguments)
{
	char *text;

	if (vasprintf(&text, format, arguments) < 0)
		return;
	for (char *c = text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	fprintf(out, "%s\n", text);
	free(text);
}

void wrong(const char *format, ...)
{
	va_list arguments;

	count++;
	va_start(arguments, format);
	print_line(stdout, format, arguments);
	va_end(arguments);
}

size_t wrong_count(void)
{
	return count;
}

void cannot(const char *format, ...)
{
	va_list arguments;

	fputs("cts-bundle: ", stderr);
	va_start(arguments, format);
	print_line(stderr, format, arguments);
	va_end(arguments);
}

// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/fault.h"

#include <stdarg.h>
#include <stdio.h>

static size_t count;

void fault(const char *path, int line, const char *format, ...)
{
	va_list arguments;

	count++;
	if (line)
		fprintf(stderr, "%s:%d: ", path, line);
	else
		fprintf(stderr, "%s: ", path);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
}

size_t fault_count(void)
{
	return count;
}

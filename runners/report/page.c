// SPDX-License-Identifier: GPL-2.0-only
#include "report/page.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const codes[] = {
	[TINT_GOOD] = "\033[32m",
	[TINT_BAD] = "\033[31m",
	[TINT_WEAK] = "\033[33m",
	[TINT_TITLE] = "\033[1m",
};

static int lines;

static bool is_coloured(void)
{
	const char *no_color = getenv("NO_COLOR");

	return isatty(STDOUT_FILENO) && !(no_color && *no_color);
}

int page_lines(void)
{
	return lines;
}

void page_print(enum tint tint, const char *format, ...)
{
	bool coloured = tint != TINT_NONE && is_coloured();
	va_list arguments;
	char *text;
	int length;

	va_start(arguments, format);
	length = vasprintf(&text, format, arguments);
	va_end(arguments);
	if (length < 0)
		return;
	for (const char *c = text; *c; c++)
		lines += *c == '\n';
	printf("%s%s%s", coloured ? codes[tint] : "", text,
	       coloured ? "\033[0m" : "");
	free(text);
}

/* Bytes of @text that fit into @width, up to a blank where there is one. */
static size_t fitting(const char *text, size_t width)
{
	size_t length = strlen(text);

	if (length <= width)
		return length;
	for (size_t i = width; i > 0; i--)
		if (text[i] == ' ')
			return i;
	return width;
}

void page_wrap(const char *label, const char *text, int lines_max)
{
	int indent = strlen(label);
	int line = 0;

	do {
		size_t length = fitting(text, PAGE_WIDTH - indent);
		bool cut = ++line == lines_max && text[length];

		page_print(TINT_NONE, "%-*s%.*s%s\n", indent,
			   line == 1 ? label : "",
			   (int)(cut && length > 4 ? length - 4 : length), text,
			   cut ? " ..." : "");
		text += length;
		text += strspn(text, " ");
	} while (*text && line < lines_max);
}

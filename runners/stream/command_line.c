// SPDX-License-Identifier: GPL-2.0-only
#include "stream/command_line.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "stream/status.h"

/* What getopt says of a row; it has letters for other things. */
#define ROW_FIRST	256

static size_t count_options(const struct command_option *options)
{
	size_t count = 0;

	while (options[count].name)
		count++;
	return count;
}

static int hint(const struct command_line *line)
{
	fprintf(stderr, "Try: %s --help\n", line->program);
	return EXIT_USAGE;
}

/* The table as getopt wants it, with --help behind it; NULL without memory. */
static struct option *names_of(const struct command_option *options,
			       size_t count)
{
	struct option *names = calloc(count + 2, sizeof(*names));

	if (!names)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		bool alone = options[i].kind == COMMAND_KIND_FLAG ||
			     options[i].kind == COMMAND_KIND_DO;

		names[i] = (struct option){
			options[i].name,
			alone ? no_argument : required_argument, NULL,
			ROW_FIRST + i,
		};
	}
	names[count] = (struct option){ "help", no_argument, NULL,
					ROW_FIRST + count };
	return names;
}

static int take(const struct command_option *option, void *into, char *argument)
{
	void *place = (char *)into + option->place;

	switch (option->kind) {
	case COMMAND_KIND_TEXT:
		*(const char **)place = argument;
		return -1;
	case COMMAND_KIND_FLAG:
		*(bool *)place = true;
		return -1;
	case COMMAND_KIND_CALL:
	case COMMAND_KIND_DO:
		break;
	}
	return option->call(into, argument);
}

int command_line_parse(const struct command_line *line, void *into, int argc,
		       char **argv)
{
	size_t count = count_options(line->options);
	struct option *names = names_of(line->options, count);
	const char *order = line->command_follows ? "+" : "";
	int status = names ? -1 : EXIT_NOT_JUDGED;
	int found;

	while (status < 0 &&
	       (found = getopt_long(argc, argv, order, names, NULL)) != -1) {
		size_t row = found - ROW_FIRST;

		if (found < ROW_FIRST)
			status = hint(line);	/* getopt has said why */
		else if (row < count)
			status = take(&line->options[row], into, optarg);
		else
			status = fputs(line->help, stdout) < 0 ?
				 EXIT_NOT_JUDGED : EXIT_EXPECTED;
	}
	free(names);
	return status;
}

int command_line_refuse(const struct command_line *line, const char *format,
			...)
{
	va_list arguments;

	fprintf(stderr, "%s: ", line->program);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	return hint(line);
}

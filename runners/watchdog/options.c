// SPDX-License-Identifier: GPL-2.0-only
#include "watchdog/options.h"

#include <getopt.h>
#include <stdlib.h>

#include "stream/command_line.h"

#define SECONDS_MAX	1000000

static const char help[] =
"Usage: cts-watchdog [OPTION]... -- COMMAND [ARGUMENT]...\n"
"Run COMMAND, pass its output on, and end it when it is silent for too long.\n"
"\n"
"  --first SECONDS     how long it may take until its first output\n"
"  --silence SECONDS   how long it may be silent after that\n"
"  --total SECONDS     how long it may run\n"
"  --help              show this text\n"
"0 seconds, the default of each, is for ever.\n"
"\n"
"Exit status: that of COMMAND, or 128 and the number of the signal that ended\n"
"it; 122 it was silent and was ended; 124 its time was over; 2 usage.\n";

static const struct command_line line;

static int set_seconds(int *seconds, const char *text)
{
	char *end;
	long value = strtol(text, &end, 10);

	if (end == text || *end || value < 0 || value > SECONDS_MAX)
		return command_line_refuse(&line, "wanted are seconds, 0 to 1000000: %s",
					   text);
	*seconds = value;
	return -1;
}

static int set_first(void *into, char *argument)
{
	return set_seconds(&((struct options *)into)->first, argument);
}

static int set_silence(void *into, char *argument)
{
	return set_seconds(&((struct options *)into)->silence, argument);
}

static int set_total(void *into, char *argument)
{
	return set_seconds(&((struct options *)into)->total, argument);
}

static const struct command_option table[] = {
	COMMAND_CALL("first", set_first),
	COMMAND_CALL("silence", set_silence),
	COMMAND_CALL("total", set_total),
	{ .name = NULL },
};

static const struct command_line line = { "cts-watchdog", help, table, true };

int options_parse(struct options *options, int argc, char **argv)
{
	int status;

	*options = (struct options){ 0 };
	status = command_line_parse(&line, options, argc, argv);
	if (status >= 0)
		return status;
	options->command = argv + optind;
	if (optind == argc)
		return command_line_refuse(&line, "no command to run: nothing follows --");
	return -1;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "watchdog/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#define EXIT_USAGE	2
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

enum { OPTION_FIRST = 1, OPTION_SILENCE, OPTION_TOTAL, OPTION_HELP };

static const struct option table[] = {
	{ "first", required_argument, NULL, OPTION_FIRST },
	{ "silence", required_argument, NULL, OPTION_SILENCE },
	{ "total", required_argument, NULL, OPTION_TOTAL },
	{ "help", no_argument, NULL, OPTION_HELP },
	{ NULL, 0, NULL, 0 },
};

static int usage_error(const char *what, const char *argument)
{
	fprintf(stderr, "cts-watchdog: %s: %s\nTry: cts-watchdog --help\n",
		what, argument);
	return EXIT_USAGE;
}

static int set_seconds(int *seconds, const char *text)
{
	char *end;
	long value = strtol(text, &end, 10);

	if (end == text || *end || value < 0 || value > SECONDS_MAX)
		return usage_error("wanted are seconds, 0 to 1000000", text);
	*seconds = value;
	return -1;
}

static int set_option(struct options *options, int option, const char *argument)
{
	switch (option) {
	case OPTION_FIRST:
		return set_seconds(&options->first, argument);
	case OPTION_SILENCE:
		return set_seconds(&options->silence, argument);
	case OPTION_TOTAL:
		return set_seconds(&options->total, argument);
	case OPTION_HELP:
		fputs(help, stdout);
		return 0;
	}
	fprintf(stderr, "Try: cts-watchdog --help\n");
	return EXIT_USAGE;
}

int options_parse(struct options *options, int argc, char **argv)
{
	int option, status;

	*options = (struct options){ 0 };
	while ((option = getopt_long(argc, argv, "+", table, NULL)) != -1) {
		status = set_option(options, option, optarg);
		if (status >= 0)
			return status;
	}
	options->command = argv + optind;
	if (optind == argc)
		return usage_error("no command to run", "nothing follows --");
	return -1;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "report/options.h"

#include <getopt.h>
#include <stddef.h>
#include <stdio.h>

static const char help[] =
"Usage: cts-agent ... | cts-report [OPTION]...\n"
"       cts-report diff | expect | render ... (each has a --help of its own)\n"
"Read the stream of a run, write its result folder as it comes, show KTAP live\n"
"and a page of results at the end; or read the results of earlier runs.\n"
"\n"
"  --output DIR        write the result folder there\n"
"  --append            go on with the run that is in that folder\n"
"  --remaining FILE    write there what was not run (empty: all was), and leave\n"
"                      the run open for --append as long as something remains\n"
"  --expected DIR      known fails, flakes and skips, by kernel series\n"
"  --gate              also skips and refusals that are not listed, and faults in\n"
"                      the stream, are unexpected\n"
"  --baseline FILE     run.json of an earlier run: whatever passed there and does\n"
"                      not pass here, or is missing, is unexpected\n"
"  --mutants FILE      judge the tests by the faults they catch\n"
"  --quiet             no KTAP on standard output, only the page\n"
"  --help              show this text\n"
"\n"
"Exit status: 0 nothing unexpected; 1 unexpected fail, pass, crash, error or\n"
"missing test; 2 usage; 125 could not judge.\n";

enum {
	OPTION_OUTPUT = 1, OPTION_APPEND, OPTION_REMAINING, OPTION_EXPECTED,
	OPTION_GATE, OPTION_BASELINE, OPTION_MUTANTS, OPTION_QUIET, OPTION_HELP,
};

static const struct option table[] = {
	{ "output", required_argument, NULL, OPTION_OUTPUT },
	{ "append", no_argument, NULL, OPTION_APPEND },
	{ "remaining", required_argument, NULL, OPTION_REMAINING },
	{ "expected", required_argument, NULL, OPTION_EXPECTED },
	{ "gate", no_argument, NULL, OPTION_GATE },
	{ "baseline", required_argument, NULL, OPTION_BASELINE },
	{ "mutants", required_argument, NULL, OPTION_MUTANTS },
	{ "quiet", no_argument, NULL, OPTION_QUIET },
	{ "help", no_argument, NULL, OPTION_HELP },
	{ NULL, 0, NULL, 0 },
};

static int usage_error(const char *what)
{
	fprintf(stderr, "cts-report: %s\nTry: cts-report --help\n", what);
	return EXIT_USAGE;
}

static int set_option(struct options *options, int option, const char *argument)
{
	switch (option) {
	case OPTION_OUTPUT:
		options->output = argument;
		return -1;
	case OPTION_APPEND:
		options->append = true;
		return -1;
	case OPTION_REMAINING:
		options->remaining = argument;
		return -1;
	case OPTION_EXPECTED:
		options->expected = argument;
		return -1;
	case OPTION_GATE:
		options->gate = true;
		return -1;
	case OPTION_BASELINE:
		options->baseline = argument;
		return -1;
	case OPTION_MUTANTS:
		options->mutants = argument;
		return -1;
	case OPTION_QUIET:
		options->quiet = true;
		return -1;
	case OPTION_HELP:
		fputs(help, stdout);
		return 0;
	}
	return usage_error("that is not an option");
}

int options_parse(struct options *options, int argc, char **argv)
{
	int option, status;

	*options = (struct options){ 0 };
	while ((option = getopt_long(argc, argv, "", table, NULL)) != -1) {
		status = set_option(options, option, optarg);
		if (status >= 0)
			return status;
	}
	if (optind < argc)
		return usage_error("takes no arguments but options");
	if (options->append && !options->output)
		return usage_error("--append needs the --output to go on with");
	return -1;
}

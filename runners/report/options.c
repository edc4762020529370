// SPDX-License-Identifier: GPL-2.0-only
#include "report/options.h"

#include <getopt.h>

#include "stream/command_line.h"

static const char help[] =
"Usage: cts-agent ... | cts-report [OPTION]...\n"
"       cts-report diff | expect | render | table ... (each has a --help of its own)\n"
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

static const struct command_option table[] = {
	COMMAND_TEXT("output", struct options, output),
	COMMAND_FLAG("append", struct options, append),
	COMMAND_TEXT("remaining", struct options, remaining),
	COMMAND_TEXT("expected", struct options, expected),
	COMMAND_FLAG("gate", struct options, gate),
	COMMAND_TEXT("baseline", struct options, baseline),
	COMMAND_TEXT("mutants", struct options, mutants),
	COMMAND_FLAG("quiet", struct options, quiet),
	{ .name = NULL },
};

static const struct command_line line = { "cts-report", help, table, false };

int options_parse(struct options *options, int argc, char **argv)
{
	int status;

	*options = (struct options){ 0 };
	status = command_line_parse(&line, options, argc, argv);
	if (status >= 0)
		return status;
	if (optind < argc)
		return command_line_refuse(&line, "takes no arguments but options");
	if (options->append && !options->output)
		return command_line_refuse(&line, "--append needs the --output to go on with");
	return -1;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/options.h"

#include <getopt.h>
#include <string.h>

#include "stream/command_line.h"

static const char help[] =
"Usage: cts-matrix add --clauses FILE --results DIR [--replace] RUN...\n"
"       cts-matrix check --clauses FILE --drivers DIR --results DIR\n"
"       cts-matrix render --clauses FILE --drivers DIR --results DIR\n"
"                         [--format markdown|csv|html] [--long] [--page DIR]\n"
"Keep what runs say of drivers, and show it beside what is known of them.\n"
"\n"
"  --clauses FILE      the clause table, as 'dmabuf-cts explain --json' prints it\n"
"  --profiles FILE     profiles of conformance, as 'dmabuf-cts explain --profiles --json'\n"
"                      prints them; without it none are shown\n"
"  --drivers DIR       fact files\n"
"  --results DIR       recorded results\n"
"  --page DIR          html: folder of page.html, style.css and script.js\n"
"  --replace           also where the run judged less than is recorded\n"
"  --format FORMAT     default markdown\n"
"  --long              csv: a line for each verdict, with its reason\n"
"  --help              show this text\n"
"\n"
"Exit status: 0; 1 facts or results have faults; 2 usage; 125 it could not be done.\n";

static const struct command_option table[] = {
	COMMAND_TEXT("clauses", struct options, clauses),
	COMMAND_TEXT("profiles", struct options, profiles),
	COMMAND_TEXT("drivers", struct options, drivers),
	COMMAND_TEXT("results", struct options, results),
	COMMAND_TEXT("page", struct options, page),
	COMMAND_TEXT("format", struct options, format),
	COMMAND_FLAG("long", struct options, every_check),
	COMMAND_FLAG("replace", struct options, replace),
	{ .name = NULL },
};

static const struct command_line line = { "cts-matrix", help, table, false };

/* What each verb cannot do without. */
static int check(const struct options *options, int words)
{
	bool adds = !strcmp(options->verb, "add");
	bool renders = !strcmp(options->verb, "render");
	bool makes_page = renders && !strcmp(options->format, "html");

	if (!adds && !renders && strcmp(options->verb, "check"))
		return command_line_refuse(&line, "the verbs are add, check and render");
	if (adds != !!words)
		return command_line_refuse(&line, adds ? "add which run?" :
					   "no arguments but options here");
	if (!options->clauses || !options->results ||
	    (!adds && !options->drivers) || (makes_page && !options->page))
		return command_line_refuse(&line, "folders or the clause table are missing");
	return -1;
}

int options_parse(struct options *options, int argc, char **argv)
{
	int status;

	*options = (struct options){ .format = "markdown" };
	status = command_line_parse(&line, options, argc, argv);
	if (status >= 0)
		return status;
	if (optind == argc)
		return command_line_refuse(&line, "no verb given");
	options->verb = argv[optind++];
	options->runs = &argv[optind];
	return check(options, argc - optind);
}

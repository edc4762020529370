// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/options.h"

#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "stream/status.h"

static const char help[] =
"Usage: cts-matrix add --clauses FILE --results DIR [--replace] RUN\n"
"       cts-matrix check --clauses FILE --drivers DIR --results DIR\n"
"       cts-matrix render --clauses FILE --drivers DIR --results DIR\n"
"                         [--format markdown|csv|html] [--long] [--page DIR]\n"
"Keep what runs say of drivers, and show it beside what is known of them.\n"
"\n"
"  --clauses FILE      the clause table, as 'dmabuf-cts explain --json' prints it\n"
"  --drivers DIR       fact files\n"
"  --results DIR       recorded results\n"
"  --page DIR          html: folder of page.html, style.css and script.js\n"
"  --replace           also where the run judged less than is recorded\n"
"  --format FORMAT     default markdown\n"
"  --long              csv: a line for each verdict, with its reason\n"
"  --help              show this text\n"
"\n"
"Exit status: 0; 1 facts or results have faults; 2 usage; 125 it could not be done.\n";

enum {
	OPTION_CLAUSES = 1, OPTION_DRIVERS, OPTION_RESULTS, OPTION_PAGE,
	OPTION_FORMAT, OPTION_LONG, OPTION_REPLACE, OPTION_HELP,
};

static const struct option table[] = {
	{ "clauses", required_argument, NULL, OPTION_CLAUSES },
	{ "drivers", required_argument, NULL, OPTION_DRIVERS },
	{ "results", required_argument, NULL, OPTION_RESULTS },
	{ "page", required_argument, NULL, OPTION_PAGE },
	{ "format", required_argument, NULL, OPTION_FORMAT },
	{ "long", no_argument, NULL, OPTION_LONG },
	{ "replace", no_argument, NULL, OPTION_REPLACE },
	{ "help", no_argument, NULL, OPTION_HELP },
	{ NULL, 0, NULL, 0 },
};

static int usage_error(const char *what)
{
	fprintf(stderr, "cts-matrix: %s\nTry: cts-matrix --help\n", what);
	return EXIT_USAGE;
}

static int set_option(struct options *options, int option, const char *argument)
{
	switch (option) {
	case OPTION_CLAUSES:
		options->clauses = argument;
		return -1;
	case OPTION_DRIVERS:
		options->drivers = argument;
		return -1;
	case OPTION_RESULTS:
		options->results = argument;
		return -1;
	case OPTION_PAGE:
		options->page = argument;
		return -1;
	case OPTION_FORMAT:
		options->format = argument;
		return -1;
	case OPTION_LONG:
		options->every_check = true;
		return -1;
	case OPTION_REPLACE:
		options->replace = true;
		return -1;
	case OPTION_HELP:
		fputs(help, stdout);
		return 0;
	}
	return usage_error("that is not an option");
}

/* What each verb cannot do without. */
static int check(const struct options *options, int words)
{
	bool adds = !strcmp(options->verb, "add");
	bool renders = !strcmp(options->verb, "render");
	bool makes_page = renders && !strcmp(options->format, "html");

	if (!adds && !renders && strcmp(options->verb, "check"))
		return usage_error("the verbs are add, check and render");
	if (words != adds)
		return usage_error(adds ? "add takes one run" :
				   "no arguments but options here");
	if (!options->clauses || !options->results ||
	    (!adds && !options->drivers) || (makes_page && !options->page))
		return usage_error("folders or the clause table are missing");
	return -1;
}

int options_parse(struct options *options, int argc, char **argv)
{
	int option, status;

	*options = (struct options){ .format = "markdown" };
	while ((option = getopt_long(argc, argv, "", table, NULL)) != -1) {
		status = set_option(options, option, optarg);
		if (status >= 0)
			return status;
	}
	if (optind == argc)
		return usage_error("no verb given");
	options->verb = argv[optind++];
	options->run = argv[optind];
	return check(options, argc - optind);
}

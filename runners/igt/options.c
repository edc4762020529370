// SPDX-License-Identifier: GPL-2.0-only
#include "igt/options.h"

#include <fnmatch.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "igt/exit.h"

static const char help[] =
"Usage: dmabuf_cts_PROGRAM [OPTION]...     (a link to cts-igt)\n"
"       cts-igt --install FOLDER\n"
"A conformance program of dmabuf-cts as a test of IGT GPU Tools, for igt_runner: a\n"
"subtest is a case, a dynamic subtest of it the verdict on a clause. The pair is\n"
"named by DMABUF_CTS_EXPORTER and DMABUF_CTS_IMPORTER; without them the suite's\n"
"own peers stand at both ends.\n"
"\n"
"  --list-subtests       print the names of the cases\n"
"  --run-subtest NAMES   run these alone: names or patterns, commas between them, '!'\n"
"                        before what not to run\n"
"  --describe[=NAMES]    print which clauses the cases judge\n"
"  --install FOLDER      make a folder of tests for igt_runner, of all programs beside\n"
"                        cts-igt\n"
"  --help                show this text\n"
"\n"
"Exit status, as IGT has it: 0 fine, 77 all was skipped, 79 nothing to run or usage,\n"
"98 something failed.\n";

enum { OPTION_LIST = 1, OPTION_RUN, OPTION_DESCRIBE, OPTION_INSTALL, OPTION_HELP };

static const struct option table[] = {
	{ "list-subtests", no_argument, NULL, OPTION_LIST },
	{ "run-subtest", required_argument, NULL, OPTION_RUN },
	{ "describe", optional_argument, NULL, OPTION_DESCRIBE },
	{ "install", required_argument, NULL, OPTION_INSTALL },
	{ "help", no_argument, NULL, OPTION_HELP },
	{ NULL, 0, NULL, 0 },
};

static int set_option(struct options *options, int option, char *argument)
{
	switch (option) {
	case OPTION_LIST:
		options->verb = VERB_LIST;
		return -1;
	case OPTION_RUN:
		options->subtests = argument;
		return -1;
	case OPTION_DESCRIBE:
		options->verb = VERB_DESCRIBE;
		options->subtests = argument;
		return -1;
	case OPTION_INSTALL:
		options->verb = VERB_INSTALL;
		options->folder = argument;
		return -1;
	case OPTION_HELP:
		fputs(help, stdout);
		return 0;
	}
	fputs("Try: cts-igt --help\n", stderr);
	return EXIT_IGT_INVALID;
}

int options_parse(struct options *options, int argc, char **argv)
{
	int option, status;

	*options = (struct options){ .verb = VERB_RUN };
	while ((option = getopt_long(argc, argv, "", table, NULL)) != -1) {
		status = set_option(options, option, optarg);
		if (status >= 0)
			return status;
	}
	if (optind == argc)
		return -1;
	fprintf(stderr, "cts-igt: unexpected argument: %s\n", argv[optind]);
	return EXIT_IGT_INVALID;
}

bool options_choose(const struct options *options, const char *subtest)
{
	char *patterns, *pattern, *rest;
	bool chosen;

	if (!options->subtests)
		return true;
	chosen = *options->subtests == '!';
	patterns = strdup(options->subtests);
	for (pattern = strtok_r(patterns, ",", &rest); pattern;
	     pattern = strtok_r(NULL, ",", &rest)) {
		bool away = *pattern == '!';

		if (!fnmatch(pattern + away, subtest, 0))
			chosen = !away;
	}
	free(patterns);
	return chosen;
}

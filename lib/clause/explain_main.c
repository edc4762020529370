// SPDX-License-Identifier: GPL-2.0-only
/* cts-explain: says what a clause asks, of whom, since when, and who tests it. */

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clause/explain.h"

#define EXIT_USAGE	2

static const char usage[] =
"usage: cts-explain [OPTION]... ID...\n"
"       cts-explain [OPTION]... [--list | --untested | --all | --profiles]\n"
"Explains clauses of the dma-buf contract, such as PIN-08 or UAPI-08.a.\n"
"With neither an ID nor a list, shows each test, its clauses and the kinds of\n"
"pair that it is for.\n"
"  --list        one line for each clause without letters and each check\n"
"  --untested    the same for those that no test declares\n"
"  --all         the whole contract as a page in Markdown\n"
"  --profiles    the profiles of conformance\n"
"  --profile NAME  the clauses that a driver of that profile must keep\n"
"  --json        print JSON, of all clauses if no ID is given\n"
"  --law LAW     also tell the strength under LAW: \"here\" for that of the\n"
"                running kernel, or NAME=VALUE,... as cts-probe finds it\n"
"  --tests DIR   where the test programs are; default: beside this one\n"
"  --help        print this\n";

enum action { EXPLAIN, LIST, UNTESTED, ALL, PROFILES };

struct request {
	enum action action;
	bool json;
	const struct profile *profile;
	bool has_law;
	struct law law;
	char folder[PATH_MAX];
	char **ids;
	int id_count;
};

static int usage_error(const char *problem)
{
	fprintf(stderr, "cts-explain: %s\n%s", problem, usage);
	return EXIT_USAGE;
}

static int choose_law(struct request *request, const char *text)
{
	char problem[160], message[200];

	request->has_law = true;
	if (!strcmp(text, "here")) {
		request->law = *law_present();
		return 0;
	}
	if (!law_parse(text, &request->law, problem, sizeof(problem)))
		return 0;
	snprintf(message, sizeof(message), "--law: %s", problem);
	return usage_error(message);
}

static int choose_profile(struct request *request, const char *name)
{
	request->action = PROFILES;
	request->profile = profile_find(name);
	if (request->profile)
		return 0;
	fprintf(stderr, "cts-explain: there is no profile '%s'; there are:\n",
		name);
	explain_profiles(stderr);
	return EXIT_USAGE;
}

/* Returns -1 to go on, else the exit status. */
static int apply_option(struct request *request, int option)
{
	switch (option) {
	case 'l':
		request->action = LIST;
		return -1;
	case 'u':
		request->action = UNTESTED;
		return -1;
	case 'a':
		request->action = ALL;
		return -1;
	case 'p':
		request->action = PROFILES;
		return -1;
	case 'n':
		return choose_profile(request, optarg) ? EXIT_USAGE : -1;
	case 'j':
		request->json = true;
		return -1;
	case 'w':
		return choose_law(request, optarg) ? EXIT_USAGE : -1;
	case 't':
		snprintf(request->folder, sizeof(request->folder), "%s", optarg);
		return -1;
	case 'h':
		fputs(usage, stdout);
		return EXIT_SUCCESS;
	default:
		fputs(usage, stderr);
		return EXIT_USAGE;
	}
}

static int parse_arguments(int argc, char **argv, struct request *request)
{
	static const struct option options[] = {
		{ "list", no_argument, NULL, 'l' },
		{ "untested", no_argument, NULL, 'u' },
		{ "all", no_argument, NULL, 'a' },
		{ "profiles", no_argument, NULL, 'p' },
		{ "profile", required_argument, NULL, 'n' },
		{ "json", no_argument, NULL, 'j' },
		{ "law", required_argument, NULL, 'w' },
		{ "tests", required_argument, NULL, 't' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	int option, status;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		status = apply_option(request, option);
		if (status >= 0)
			return status;
	}
	request->ids = argv + optind;
	request->id_count = argc - optind;
	if (request->action != EXPLAIN && request->id_count)
		return usage_error("an ID makes no sense with a list");
	return -1;
}

static int explain_ids(const struct request *request,
		       const struct coverage *coverage)
{
	int status = EXIT_SUCCESS;

	for (int i = 0; i < request->id_count; i++) {
		const struct clause *clause = clause_find(request->ids[i]);

		if (!clause) {
			explain_unknown(stderr, request->ids[i]);
			status = EXIT_USAGE;
			continue;
		}
		if (i)
			putchar('\n');
		explain_clause(stdout, clause,
			       request->has_law ? &request->law : NULL,
			       coverage);
	}
	return status;
}

static int print_json(const struct request *request,
		      const struct coverage *coverage)
{
	json_t *all = json_array();
	const struct clause *clause = NULL;
	int status = EXIT_SUCCESS;

	for (int i = 0; i < request->id_count; i++) {
		clause = clause_find(request->ids[i]);
		if (clause) {
			json_array_append_new(all,
					      explain_json(clause, coverage));
			continue;
		}
		explain_unknown(stderr, request->ids[i]);
		status = EXIT_USAGE;
	}
	while (!request->id_count && (clause = clause_next(clause)))
		json_array_append_new(all, explain_json(clause, coverage));
	json_dumpf(all, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(all);
	return status;
}

static int show_profiles(const struct request *request,
			 const struct coverage *coverage)
{
	json_t *all;

	if (request->json) {
		all = explain_profiles_json(coverage);
		json_dumpf(all, stdout, JSON_INDENT(1));
		putchar('\n');
		json_decref(all);
	} else if (request->profile) {
		explain_profile(stdout, request->profile,
				request->has_law ? &request->law : NULL,
				coverage);
	} else {
		explain_profiles(stdout);
	}
	return EXIT_SUCCESS;
}

static int act(const struct request *request, const struct coverage *coverage)
{
	if (request->action == PROFILES)
		return show_profiles(request, coverage);
	if (request->json)
		return print_json(request, coverage);
	switch (request->action) {
	case LIST:
	case UNTESTED:
		explain_list(stdout, request->action == UNTESTED, coverage);
		return EXIT_SUCCESS;
	case ALL:
		explain_page(stdout, coverage);
		return EXIT_SUCCESS;
	default:
		if (request->id_count)
			return explain_ids(request, coverage);
		explain_tests(stdout, coverage);
		return EXIT_SUCCESS;
	}
}

int main(int argc, char **argv)
{
	static struct request request;
	struct coverage coverage;
	int status, error;

	coverage_own_folder(request.folder, sizeof(request.folder));
	status = parse_arguments(argc, argv, &request);
	if (status >= 0)
		return status;

	error = coverage_read(request.folder, &coverage);
	if (error) {
		fprintf(stderr,
			"cts-explain: cannot read the test programs in %s: %s\n",
			request.folder, strerror(-error));
		status = EXIT_USAGE;
	} else {
		status = act(&request, &coverage);
	}
	coverage_free(&coverage);
	return status;
}

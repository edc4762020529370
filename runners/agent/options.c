// SPDX-License-Identifier: GPL-2.0-only
#include "agent/options.h"

#include <getopt.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The harness ends a case of its own after 30 s; this is the second net. */
#define TIMEOUT_DEFAULT_S	45

static const char help[] =
"Usage: cts-agent [OPTION]...\n"
"Run the conformance programs on every pair of exporter and importer found, and\n"
"write what happens to standard output, one JSON record a line.\n"
"\n"
"  --programs DIR      folder of cts-probe and the programs (default: that of\n"
"                      cts-agent)\n"
"  --exporter SEL      only this exporter, or all of a back end (may be repeated)\n"
"  --importer SEL      likewise for importers\n"
"  --program NAME      only this program (may be repeated)\n"
"  --case NAME         only this case (may be repeated)\n"
"  --profile default|full  default: where any peer will do as a partner, one does;\n"
"                      full: each\n"
"  --schedule FILE     run exactly these jobs, as cts-report --remaining wrote them,\n"
"                      whatever other options choose\n"
"  --share K/N         of all these jobs, run the K-th part of N that take alike long;\n"
"                      others do the rest\n"
"  --faults FILE       run peers with each of these faults, and once without\n"
"  --timeout SECONDS   end a program that has been silent for so long (default 45)\n"
"  --mode vm|native    where this runs (default native)\n"
"  --allow-disruptive  also run tests that provoke warnings, on a real machine\n"
"  --nic N             the guest has so many emulated NICs (default 0)\n"
"  --list              show exporters and importers, and why absent ones are\n"
"  --kmsg FILE         where the kernel's log is (default /dev/kmsg)\n"
"  --sys-module DIR    where module parameters are (default /sys/module)\n"
"  --pci-devices DIR   where PCI functions are (default /sys/bus/pci/devices)\n"
"  --help              show this text\n"
"\n"
"Exit status: 0 all was run; 2 usage; 3 a program cannot be ended or the kernel\n"
"has had an oops; 125 there is nothing to run, or the run was cut short.\n";

enum {
	OPTION_PROGRAMS = 1, OPTION_EXPORTER, OPTION_IMPORTER, OPTION_PROGRAM,
	OPTION_CASE, OPTION_PROFILE, OPTION_SCHEDULE, OPTION_SHARE, OPTION_FAULTS,
	OPTION_TIMEOUT, OPTION_MODE, OPTION_DISRUPTIVE, OPTION_LIST, OPTION_KMSG,
	OPTION_SYS_MODULE, OPTION_PCI_DEVICES, OPTION_NIC, OPTION_HELP,
};

static const struct option table[] = {
	{ "programs", required_argument, NULL, OPTION_PROGRAMS },
	{ "exporter", required_argument, NULL, OPTION_EXPORTER },
	{ "importer", required_argument, NULL, OPTION_IMPORTER },
	{ "program", required_argument, NULL, OPTION_PROGRAM },
	{ "case", required_argument, NULL, OPTION_CASE },
	{ "schedule", required_argument, NULL, OPTION_SCHEDULE },
	{ "share", required_argument, NULL, OPTION_SHARE },
	{ "faults", required_argument, NULL, OPTION_FAULTS },
	{ "timeout", required_argument, NULL, OPTION_TIMEOUT },
	{ "profile", required_argument, NULL, OPTION_PROFILE },
	{ "mode", required_argument, NULL, OPTION_MODE },
	{ "allow-disruptive", no_argument, NULL, OPTION_DISRUPTIVE },
	{ "list", no_argument, NULL, OPTION_LIST },
	{ "kmsg", required_argument, NULL, OPTION_KMSG },
	{ "sys-module", required_argument, NULL, OPTION_SYS_MODULE },
	{ "pci-devices", required_argument, NULL, OPTION_PCI_DEVICES },
	{ "nic", required_argument, NULL, OPTION_NIC },
	{ "help", no_argument, NULL, OPTION_HELP },
	{ NULL, 0, NULL, 0 },
};

static int usage_error(const char *what, const char *argument)
{
	fprintf(stderr, "cts-agent: %s: %s\nTry: cts-agent --help\n", what,
		argument);
	return EXIT_USAGE;
}

static int add_word(struct words *words, const char *word)
{
	const char **longer = realloc(words->words,
				      (words->count + 1) * sizeof(*longer));

	if (!longer)
		return EXIT_NOT_JUDGED;
	words->words = longer;
	words->words[words->count++] = word;
	return -1;
}

static int set_timeout(struct options *options, const char *text)
{
	char *end;
	long seconds = strtol(text, &end, 10);

	if (end == text || *end || seconds < 1 || seconds > 86400)
		return usage_error("--timeout wants seconds, 1 to 86400", text);
	options->timeout_s = seconds;
	return -1;
}

static int set_share(struct options *options, const char *text)
{
	unsigned int number, count;
	int length = 0;

	if (sscanf(text, "%3u/%3u%n", &number, &count, &length) < 2 ||
	    text[length] || !number || number > count)
		return usage_error("--share wants K/N, as in 2/3", text);
	options->share = (struct share){ number - 1, count };
	return -1;
}

static int set_nics(struct options *options, const char *text)
{
	if (text[0] < '0' || text[0] > '8' || text[1])
		return usage_error("--nic wants a number, 0 to 8", text);
	options->nics = text[0] - '0';
	return -1;
}

static int set_profile(struct options *options, const char *text)
{
	options->full = !strcmp(text, "full");
	if (!options->full && strcmp(text, "default"))
		return usage_error("--profile wants default or full", text);
	return -1;
}

static int set_mode(struct options *options, const char *text)
{
	options->in_guest = !strcmp(text, "vm");
	if (!options->in_guest && strcmp(text, "native"))
		return usage_error("--mode wants vm or native", text);
	return -1;
}

static int set_option(struct options *options, int option, char *argument)
{
	switch (option) {
	case OPTION_PROGRAMS:
		free(options->programs);
		options->programs = strdup(argument);
		return -1;
	case OPTION_EXPORTER:
		return add_word(&options->exporters, argument);
	case OPTION_IMPORTER:
		return add_word(&options->importers, argument);
	case OPTION_PROGRAM:
		return add_word(&options->program, argument);
	case OPTION_CASE:
		return add_word(&options->cases, argument);
	case OPTION_SCHEDULE:
		options->schedule = argument;
		return -1;
	case OPTION_SHARE:
		return set_share(options, argument);
	case OPTION_FAULTS:
		options->faults = argument;
		return -1;
	case OPTION_TIMEOUT:
		return set_timeout(options, argument);
	case OPTION_PROFILE:
		return set_profile(options, argument);
	case OPTION_MODE:
		return set_mode(options, argument);
	case OPTION_DISRUPTIVE:
		options->allow_disruptive = true;
		return -1;
	case OPTION_LIST:
		options->list = true;
		return -1;
	case OPTION_KMSG:
		options->kmsg = argument;
		return -1;
	case OPTION_SYS_MODULE:
		options->sys_module = argument;
		return -1;
	case OPTION_PCI_DEVICES:
		options->devices = argument;
		return -1;
	case OPTION_NIC:
		return set_nics(options, argument);
	case OPTION_HELP:
		fputs(help, stdout);
		return 0;
	}
	fprintf(stderr, "Try: cts-agent --help\n");
	return EXIT_USAGE;
}

static char *own_folder(void)
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (length < 0)
		return strdup(".");
	path[length] = '\0';
	return strdup(dirname(path));
}

/* Built with the programs, but it may be left out: they also run alone. */
static char *find_host(const char *programs)
{
	char *path;

	if (asprintf(&path, "%s/cts-all", programs) < 0)
		return NULL;
	if (!access(path, X_OK))
		return path;
	free(path);
	return NULL;
}

int options_parse(struct options *options, int argc, char **argv)
{
	int option, status;

	*options = (struct options){
		.programs = own_folder(),
		.share.count = 1,
		.timeout_s = TIMEOUT_DEFAULT_S,
		.kmsg = "/dev/kmsg",
		.sys_module = "/sys/module",
		.devices = "/sys/bus/pci/devices",
	};
	while ((option = getopt_long(argc, argv, "", table, NULL)) != -1) {
		status = set_option(options, option, optarg);
		if (status >= 0)
			return status;
	}
	if (optind < argc)
		return usage_error("unexpected argument", argv[optind]);
	if (!options->programs)
		return EXIT_NOT_JUDGED;
	options->host = find_host(options->programs);
	return -1;
}

void options_release(struct options *options)
{
	free(options->programs);
	free(options->host);
	free(options->exporters.words);
	free(options->importers.words);
	free(options->program.words);
	free(options->cases.words);
}

bool words_have(const struct words *words, const char *word)
{
	for (size_t i = 0; i < words->count; i++)
		if (!strcmp(words->words[i], word))
			return true;
	return !words->count;
}

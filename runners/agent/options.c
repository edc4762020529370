// SPDX-License-Identifier: GPL-2.0-only
#include "agent/options.h"

#include <getopt.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stream/command_line.h"

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
"  --with DIR          also run the programs of somebody else in DIR/run, whose name\n"
"                      says whose they are; may be repeated\n"
"  --profile default|full  default: where any peer, or anyone, will do as a partner, one\n"
"                      does, and peers are tested once; full: with each; and with\n"
"                      --faults each case, on each pair of peers\n"
"  --schedule FILE     run exactly these jobs, as cts-report --remaining wrote them,\n"
"                      whatever other options choose\n"
"  --share K/N         of all these jobs, run the K-th part of N that take about as long;\n"
"                      others do the rest\n"
"  --faults FILE       run peers with each of these faults, and once without\n"
"  --timeout SECONDS   end a program that has been silent for so long (default 45)\n"
"  --mode vm|native    where this runs (default native)\n"
"  --allow-disruptive  also run tests that provoke warnings, on a real machine\n"
"  --nic N             the guest has so many emulated NICs (default 0)\n"
"  --monitor NAME      none (default); real: trace what programs do on pairs without\n"
"                      a peer; all: on each pair\n"
"  --plans             print which cases the programs have, as JSON\n"
"  --list              show exporters and importers, and why absent ones are\n"
"  --kmsg FILE         where the kernel's log is (default /dev/kmsg)\n"
"  --kmemleak FILE     where it tells of leaked memory, with --mode vm (default\n"
"                      /sys/kernel/debug/kmemleak)\n"
"  --sys-module DIR    where module parameters are (default /sys/module)\n"
"  --pci-devices DIR   where PCI functions are (default /sys/bus/pci/devices)\n"
"  --help              show this text\n"
"\n"
"Exit status: 0 all was run; 2 usage; 3 a program cannot be ended or the kernel\n"
"has had an oops; 125 there is nothing to run, or the run was cut short.\n";

static const struct command_line line;

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

static int set_timeout(void *into, char *text)
{
	struct options *options = into;
	char *end;
	long seconds = strtol(text, &end, 10);

	if (end == text || *end || seconds < 1 || seconds > 86400)
		return command_line_refuse(&line, "--timeout wants seconds, 1 to 86400: %s", text);
	options->timeout_s = seconds;
	return -1;
}

static int set_share(void *into, char *text)
{
	struct options *options = into;
	unsigned int number, count;
	int length = 0;

	if (sscanf(text, "%3u/%3u%n", &number, &count, &length) < 2 ||
	    text[length] || !number || number > count)
		return command_line_refuse(&line, "--share wants K/N, as in 2/3: %s", text);
	options->share = (struct share){ number - 1, count };
	return -1;
}

static int set_nics(void *into, char *text)
{
	struct options *options = into;

	if (text[0] < '0' || text[0] > '8' || text[1])
		return command_line_refuse(&line, "--nic wants a number, 0 to 8: %s", text);
	options->nics = text[0] - '0';
	return -1;
}

static int set_profile(void *into, char *text)
{
	struct options *options = into;

	options->full = !strcmp(text, "full");
	if (!options->full && strcmp(text, "default"))
		return command_line_refuse(&line, "--profile wants default or full: %s", text);
	return -1;
}

static int set_mode(void *into, char *text)
{
	struct options *options = into;

	options->in_guest = !strcmp(text, "vm");
	if (!options->in_guest && strcmp(text, "native"))
		return command_line_refuse(&line, "--mode wants vm or native: %s", text);
	return -1;
}

static int set_monitor(void *into, char *text)
{
	static const char *const names[] = {
		[MONITOR_NONE] = "none",
		[MONITOR_REAL] = "real",
		[MONITOR_ALL] = "all",
	};
	struct options *options = into;

	for (int i = MONITOR_NONE; i <= MONITOR_ALL; i++) {
		options->monitor = i;
		if (!strcmp(text, names[i]))
			return -1;
	}
	return command_line_refuse(&line, "--monitor wants none, real or all: %s", text);
}

static int set_programs(void *into, char *argument)
{
	struct options *options = into;

	free(options->programs);
	options->programs = strdup(argument);
	return -1;
}

static int add_exporter(void *into, char *argument)
{
	return add_word(&((struct options *)into)->exporters, argument);
}

static int add_importer(void *into, char *argument)
{
	return add_word(&((struct options *)into)->importers, argument);
}

static int add_program(void *into, char *argument)
{
	return add_word(&((struct options *)into)->program, argument);
}

static int add_case(void *into, char *argument)
{
	return add_word(&((struct options *)into)->cases, argument);
}

static int add_folder(void *into, char *argument)
{
	return add_word(&((struct options *)into)->with, argument);
}

static const struct command_option table[] = {
	COMMAND_CALL("programs", set_programs),
	COMMAND_CALL("exporter", add_exporter),
	COMMAND_CALL("importer", add_importer),
	COMMAND_CALL("program", add_program),
	COMMAND_CALL("case", add_case),
	COMMAND_CALL("with", add_folder),
	COMMAND_TEXT("schedule", struct options, schedule),
	COMMAND_CALL("share", set_share),
	COMMAND_TEXT("faults", struct options, faults),
	COMMAND_CALL("timeout", set_timeout),
	COMMAND_CALL("profile", set_profile),
	COMMAND_CALL("mode", set_mode),
	COMMAND_FLAG("allow-disruptive", struct options, allow_disruptive),
	COMMAND_FLAG("list", struct options, list),
	COMMAND_FLAG("plans", struct options, plans),
	COMMAND_TEXT("kmsg", struct options, kmsg),
	COMMAND_TEXT("kmemleak", struct options, kmemleak),
	COMMAND_TEXT("sys-module", struct options, sys_module),
	COMMAND_TEXT("pci-devices", struct options, devices),
	COMMAND_CALL("monitor", set_monitor),
	COMMAND_CALL("nic", set_nics),
	{ .name = NULL },
};

static const struct command_line line = { "cts-agent", help, table, false };

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
	int status;

	*options = (struct options){
		.programs = own_folder(),
		.share.count = 1,
		.timeout_s = TIMEOUT_DEFAULT_S,
		.kmsg = "/dev/kmsg",
		.kmemleak = "/sys/kernel/debug/kmemleak",
		.sys_module = "/sys/module",
		.devices = "/sys/bus/pci/devices",
	};
	status = command_line_parse(&line, options, argc, argv);
	if (status >= 0)
		return status;
	if (optind < argc)
		return command_line_refuse(&line, "unexpected argument: %s", argv[optind]);
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
	free(options->with.words);
}

bool words_have(const struct words *words, const char *word)
{
	for (size_t i = 0; i < words->count; i++)
		if (!strcmp(words->words[i], word))
			return true;
	return !words->count;
}

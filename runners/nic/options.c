// SPDX-License-Identifier: GPL-2.0-only
#include "nic/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nic/tables.h"

#define EXIT_USAGE	2

static const char help[] =
"Usage: cts-nic --socket PATH [OPTION]...\n"
"Be an emulated EFA network card, for the vfio-user-pci device of QEMU.\n"
"\n"
"  --socket PATH          wait for a client here; each socket is a PCI function of\n"
"                         its own, and all are on one network (may be repeated)\n"
"  --api VERSION          of the device: 0.1, 0.2 or 0.3 (default 0.3)\n"
"  --control NAME=VALUE   value that a control has when a client comes (may be repeated)\n"
"  --fault NAME           be faulty in this way\n"
"  --once                 end when each function has had a client and all have left\n"
"  --verbose              say more (may be repeated): commands; then each message\n"
"  --tables               show counters, controls and faults\n"
"  --help                 show this text\n"
"\n"
"Exit status: 0 after SIGTERM, SIGINT or with --once; 1 it cannot serve; 2 usage.\n";

enum {
	OPTION_SOCKET = 1, OPTION_API, OPTION_CONTROL, OPTION_FAULT, OPTION_ONCE,
	OPTION_VERBOSE, OPTION_TABLES, OPTION_HELP,
};

static const struct option table[] = {
	{ "socket", required_argument, NULL, OPTION_SOCKET },
	{ "api", required_argument, NULL, OPTION_API },
	{ "control", required_argument, NULL, OPTION_CONTROL },
	{ "fault", required_argument, NULL, OPTION_FAULT },
	{ "once", no_argument, NULL, OPTION_ONCE },
	{ "verbose", no_argument, NULL, OPTION_VERBOSE },
	{ "tables", no_argument, NULL, OPTION_TABLES },
	{ "help", no_argument, NULL, OPTION_HELP },
	{ NULL, 0, NULL, 0 },
};

static int usage_error(const char *what, const char *argument)
{
	fprintf(stderr, "cts-nic: %s: %s\nTry: cts-nic --help\n", what, argument);
	return EXIT_USAGE;
}

static int add_socket(struct options *options, const char *path)
{
	if (options->nsockets == OPTIONS_SOCKETS)
		return usage_error("there are 8 sockets at most", path);
	options->sockets[options->nsockets++] = path;
	return -1;
}

static int set_api(struct options *options, const char *text)
{
	static const char *const versions[] = { "0.1", "0.2", "0.3" };

	for (unsigned int i = 0; i < 3; i++) {
		if (!strcmp(text, versions[i])) {
			options->api_minor = i + 1;
			return -1;
		}
	}
	return usage_error("--api wants 0.1, 0.2 or 0.3", text);
}

static int set_control(struct options *options, char *text)
{
	char *value = strchr(text, '='), *end;
	unsigned long long number;

	if (!value || value[1] < '0' || value[1] > '9')
		return usage_error("--control wants NAME=VALUE, a number", text);
	number = strtoull(value + 1, &end, 0);
	if (*end || number > UINT32_MAX)
		return usage_error("a control has 32 bits", text);
	*value = '\0';
	if (!controls_set(&options->controls, text, number))
		return usage_error("no such control; see --tables", text);
	return -1;
}

static int set_fault(struct options *options, const char *name)
{
	options->fault = fault_by_name(name);
	if (options->fault == FAULTS)
		return usage_error("no such fault; see --tables", name);
	return -1;
}

static int set_option(struct options *options, int option, char *argument)
{
	switch (option) {
	case OPTION_SOCKET:
		return add_socket(options, argument);
	case OPTION_API:
		return set_api(options, argument);
	case OPTION_CONTROL:
		return set_control(options, argument);
	case OPTION_FAULT:
		return set_fault(options, argument);
	case OPTION_ONCE:
		options->once = true;
		return -1;
	case OPTION_VERBOSE:
		options->level += options->level < LOG_DETAIL;
		return -1;
	case OPTION_TABLES:
		tables_print();
		return 0;
	case OPTION_HELP:
		fputs(help, stdout);
		return 0;
	}
	fprintf(stderr, "Try: cts-nic --help\n");
	return EXIT_USAGE;
}

int options_parse(struct options *options, int argc, char **argv)
{
	int option, status;

	*options = (struct options){
		.api_minor = 3,
		.controls = controls_initial,
		.level = LOG_EVENT,
	};
	while ((option = getopt_long(argc, argv, "", table, NULL)) != -1) {
		status = set_option(options, option, optarg);
		if (status >= 0)
			return status;
	}
	if (optind < argc)
		return usage_error("unexpected argument", argv[optind]);
	if (!options->nsockets)
		return usage_error("--socket PATH is missing", "no one could connect");
	return -1;
}

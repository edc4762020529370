// SPDX-License-Identifier: GPL-2.0-only
#include "nic/options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "nic/tables.h"
#include "stream/command_line.h"

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

static const struct command_line line;

static int add_socket(void *into, char *path)
{
	struct options *options = into;

	if (options->nsockets == OPTIONS_SOCKETS)
		return command_line_refuse(&line, "there are 8 sockets at most: %s", path);
	options->sockets[options->nsockets++] = path;
	return -1;
}

static int set_api(void *into, char *text)
{
	struct options *options = into;
	static const char *const versions[] = { "0.1", "0.2", "0.3" };

	for (unsigned int i = 0; i < 3; i++) {
		if (!strcmp(text, versions[i])) {
			options->api_minor = i + 1;
			return -1;
		}
	}
	return command_line_refuse(&line, "--api wants 0.1, 0.2 or 0.3: %s", text);
}

static int set_control(void *into, char *text)
{
	struct options *options = into;
	char *value = strchr(text, '='), *end;
	unsigned long long number;

	if (!value || value[1] < '0' || value[1] > '9')
		return command_line_refuse(&line, "--control wants NAME=VALUE, a number: %s", text);
	number = strtoull(value + 1, &end, 0);
	if (*end || number > UINT32_MAX)
		return command_line_refuse(&line, "a control has 32 bits: %s", text);
	*value = '\0';
	if (!controls_set(&options->controls, text, number))
		return command_line_refuse(&line, "no such control; see --tables: %s", text);
	return -1;
}

static int set_fault(void *into, char *name)
{
	struct options *options = into;

	options->fault = fault_by_name(name);
	if (options->fault == FAULTS)
		return command_line_refuse(&line, "no such fault; see --tables: %s", name);
	return -1;
}

static int more_talk(void *into, char *argument)
{
	struct options *options = into;

	(void)argument;
	options->level += options->level < LOG_DETAIL;
	return -1;
}

static int show_tables(void *into, char *argument)
{
	(void)into;
	(void)argument;
	tables_print();
	return 0;
}

static const struct command_option table[] = {
	COMMAND_CALL("socket", add_socket),
	COMMAND_CALL("api", set_api),
	COMMAND_CALL("control", set_control),
	COMMAND_CALL("fault", set_fault),
	COMMAND_FLAG("once", struct options, once),
	COMMAND_DO("verbose", more_talk),
	COMMAND_DO("tables", show_tables),
	{ .name = NULL },
};

static const struct command_line line = { "cts-nic", help, table, false };

int options_parse(struct options *options, int argc, char **argv)
{
	int status;

	*options = (struct options){
		.api_minor = 3,
		.controls = controls_initial,
		.level = LOG_EVENT,
	};
	status = command_line_parse(&line, options, argc, argv);
	if (status >= 0)
		return status;
	if (optind < argc)
		return command_line_refuse(&line, "unexpected argument: %s", argv[optind]);
	if (!options->nsockets)
		return command_line_refuse(&line, "--socket PATH is missing: no one could connect");
	return -1;
}

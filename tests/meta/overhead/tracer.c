// SPDX-License-Identifier: GPL-2.0-only
/* Who watches: nobody, the monitor, the kernel's function tracer, bpftrace. */
#include "overhead.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TRACEFS		"/sys/kernel/tracing/"
#define ARGUMENTS_MAX	16

/* All functions that the monitor looks at on the way of such calls. */
static const char functions[] =
	"dma_buf_dynamic_attach\ndma_buf_detach\ndma_buf_map_attachment\n"
	"dma_buf_unmap_attachment\nww_mutex_unlock\n";

/* The same calls counted, of each attachment. */
static const char script[] =
	"fexit:vmlinux:dma_buf_map_attachment { @maps[args.attach] = count(); }\n"
	"fentry:vmlinux:dma_buf_unmap_attachment { @unmaps[args.attach] = count(); }\n"
	"fexit:vmlinux:dma_buf_dynamic_attach { @attaches[retval] = count(); }\n"
	"fentry:vmlinux:dma_buf_detach { @detaches[args.attach] = count(); }\n"
	"fentry:vmlinux:ww_mutex_unlock { @unlocks = count(); }\n";

/* Whoever watches may say what it likes, but not where our table goes. */
static int run(char *const *command)
{
	pid_t child = fork();
	int status;

	if (!child) {
		if (dup2(STDERR_FILENO, STDOUT_FILENO) >= 0)
			execv(command[0], command);
		perror(command[0]);
		_exit(127);
	}
	return child > 0 && waitpid(child, &status, 0) == child ? status : -1;
}

static int run_below(const char *const *tracer, char *const *command)
{
	char *arguments[ARGUMENTS_MAX];
	int count = 0;

	while (*tracer)
		arguments[count++] = (char *)*tracer++;
	while (*command && count < ARGUMENTS_MAX - 1)
		arguments[count++] = *command++;
	arguments[count] = NULL;
	return run(arguments);
}

static int run_monitor(char *const *command)
{
	static const char *const monitor[] = {
		"/cts/bin/cts-monitor", "--output", "/tmp/monitor", "--", NULL,
	};

	return run_below(monitor, command);
}

static int put(const char *file, const char *text)
{
	FILE *out = fopen(file, "we");
	int error = !out || fputs(text, out) < 0;

	if (out)
		error |= fclose(out);
	if (error)
		perror(file);
	return error ? -1 : 0;
}

static int run_ftrace(char *const *command)
{
	int status;

	if (put(TRACEFS "set_ftrace_filter", functions) ||
	    put(TRACEFS "current_tracer", "function"))
		return -1;
	status = run(command);
	return put(TRACEFS "current_tracer", "nop") ?: status;
}

static int run_bpftrace(char *const *command)
{
	char line[256] = "";
	const char *const bpftrace[] = {
		"/cts/bpftrace/bpftrace", "-q", "-o", "/tmp/bpftrace",
		"-e", script, "-c", line, NULL,
	};
	char *const nothing[] = { NULL };

	for (; *command; command++) {
		strcat(line, *command);
		strcat(line, " ");
	}
	return run_below(bpftrace, nothing);
}

const struct tracer tracers[TRACERS] = {
	{ "nobody", run },
	{ "the monitor", run_monitor },
	{ "function tracer", run_ftrace },
	{ "bpftrace", run_bpftrace },
};

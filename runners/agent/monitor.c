// SPDX-License-Identifier: GPL-2.0-only
#include "agent/monitor.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/emit.h"
#include "agent/process.h"
#include "agent/stop.h"
#include "stream/text.h"

static struct {
	char path[4096];
	char reason[512];	/* the last that it said */
	bool works;
} monitor;

static void take_output(void *context, const char *text, size_t length,
			bool whole)
{
	(void)context;
	(void)whole;
	snprintf(monitor.reason, sizeof(monitor.reason), "%.*s", (int)length,
		 text);
}

static bool must_stop(void *context)
{
	(void)context;
	return stop_reason() != STOP_NOT;
}

static bool is_tried(int timeout_s)
{
	char *environment[] = { NULL };
	char *arguments[] = { monitor.path, "--try", NULL };
	struct process process = {
		.arguments = arguments,
		.environment = environment,
		.timeout_ms = timeout_s * 1000,
		.record = take_output,
		.output = take_output,
		.must_stop = must_stop,
	};
	struct process_end end = process_run(&process);

	return end.fate == PROCESS_EXITED && !end.value;
}

int monitor_find(const struct options *options)
{
	if (options->monitor == MONITOR_NONE)
		return 0;
	snprintf(monitor.path, sizeof(monitor.path), "%s/cts-monitor",
		 options->programs);
	strcpy(monitor.reason, "it was not built: that takes clang and "
	       "libbpf-dev");
	if (!access(monitor.path, X_OK)) {
		snprintf(monitor.reason, sizeof(monitor.reason),
			 "it was tried, and said nothing within %d s",
			 options->timeout_s);
		monitor.works = is_tried(options->timeout_s);
	}
	if (monitor.works)
		return 0;
	if (options->monitor == MONITOR_ALL) {
		emit_error(EXIT_NOT_JUDGED, "the monitor cannot run: %s",
			   monitor.reason);
		return EXIT_NOT_JUDGED;
	}
	emit_note("pairs of real drivers are not monitored: %s",
		  monitor.reason);
	return 0;
}

static bool is_real(const json_t *backends, const char *selector)
{
	json_t *backend;
	size_t i;

	json_array_foreach(backends, i, backend)
		if (!strcmp(text_member(backend, "selector", ""), selector))
			return !json_is_true(json_object_get(backend, "ours"));
	return false;
}

bool monitor_wants(const json_t *job, const struct options *options,
		   const struct probe *probe)
{
	if (!monitor.works)
		return false;
	return options->monitor == MONITOR_ALL ||
	       (is_real(probe->exporters, text_member(job, "exporter", "")) &&
		is_real(probe->importers, text_member(job, "importer", "")));
}

const char *monitor_path(void)
{
	return monitor.path;
}

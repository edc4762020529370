// SPDX-License-Identifier: GPL-2.0-only
#include "agent/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/emit.h"
#include "agent/process.h"
#include "agent/stop.h"
#include "stream/text.h"

static void keep_law(struct probe *probe, const json_t *record)
{
	size_t used = strlen(probe->law);

	snprintf(probe->law + used, sizeof(probe->law) - used, "%s%s=%s",
		 used ? "," : "", text_member(record, "feature", ""),
		 text_member(record, "value", ""));
}

static void keep_backend(struct probe *probe, json_t *record)
{
	bool exports = !strcmp(text_member(record, "role", ""), "exporter");

	json_array_append(exports ? probe->exporters : probe->importers,
			  record);
}

static void keep(struct probe *probe, json_t *record)
{
	const char *type = text_member(record, "type", "");

	if (!strcmp(type, "law"))
		keep_law(probe, record);
	else if (!strcmp(type, "backend"))
		keep_backend(probe, record);
}

static void take_record(void *context, const char *text, size_t length,
			bool whole)
{
	struct probe *probe = context;
	json_t *record = json_loadb(text, length, 0, NULL);

	if (!json_is_object(record)) {
		json_decref(record);
		emit_bytes("junk", 0, text, length, whole);
		return;
	}
	keep(probe, record);
	if (probe->quiet)
		json_decref(record);
	else
		emit(record);
}

static void take_output(void *context, const char *text, size_t length,
			bool whole)
{
	(void)context;
	(void)whole;
	fprintf(stderr, "cts-probe: %.*s\n", (int)length, text);
}

static bool must_stop(void *context)
{
	(void)context;
	return stop_reason() != STOP_NOT;
}

static int fail(const struct process_end *end, const char *path)
{
	static const char *const what[] = {
		[PROCESS_EXITED] = "ended with exit status",
		[PROCESS_SIGNALLED] = "was ended by signal",
		[PROCESS_TIMED_OUT] = "was silent for too long",
		[PROCESS_STOPPED] = "was stopped",
	};

	if (end->fate == PROCESS_UNSTARTED)
		emit_error(EXIT_NOT_JUDGED, "cannot run %s: %s (is the suite "
			   "built?)", path, strerror(end->value));
	else
		emit_error(EXIT_NOT_JUDGED, "%s %s %d: exporters and importers "
			   "are not known", path, what[end->fate], end->value);
	return EXIT_NOT_JUDGED;
}

int probe_run(struct probe *probe, const struct options *options)
{
	char disruptive[] = DISRUPTIVE;
	char *environment[] = {
		options_may_disrupt(options) ? disruptive : NULL, NULL,
	};
	char path[4096];
	char *arguments[] = { path, NULL };
	struct process process = {
		.arguments = arguments,
		.environment = environment,
		.timeout_ms = options->timeout_s * 1000,
		.record = take_record,
		.output = take_output,
		.must_stop = must_stop,
		.context = probe,
	};
	struct process_end end;

	probe->exporters = json_array();
	probe->importers = json_array();
	snprintf(path, sizeof(path), "%s/cts-probe",
		 options->programs);
	end = process_run(&process);
	if (end.fate != PROCESS_EXITED || end.value)
		return fail(&end, path);
	return 0;
}

void probe_release(struct probe *probe)
{
	json_decref(probe->exporters);
	json_decref(probe->importers);
}

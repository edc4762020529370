// SPDX-License-Identifier: GPL-2.0-only
#include "agent/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/emit.h"
#include "agent/fault.h"
#include "agent/glance.h"
#include "agent/monitor.h"
#include "agent/nic.h"
#include "agent/others.h"
#include "agent/process.h"
#include "agent/stop.h"
#include "stream/text.h"

/* What the records of a program told so far. */
struct progress {
	int number;
	json_t *plans;		/* as they came; NULL before the first one */
	json_t *tried;		/* names of cases that were started, as keys */
	bool moved;		/* a case was started in this run of it */
	bool last;		/* of its pair */
};

/* Hardly ever does anybody have to read it. */
static void note_plan(struct progress *progress, const char *text,
		      size_t length)
{
	if (!progress->plans)
		progress->plans = json_array();
	json_array_append_new(progress->plans, json_stringn(text, length));
}

static void note_case(struct progress *progress, const struct glance *record)
{
	char *name;

	if (!record->name.text)
		return;
	if (word_is(record->state, "start"))
		progress->moved = true;
	name = strndup(record->name.text, record->name.length);
	json_object_set_new(progress->tried, name, json_true());
	free(name);
}

/* What a program says when its NIC is dead is no verdict on anybody. */
static bool is_void(const struct glance *record)
{
	return nic_lost(word_is(record->type, "verdict") ||
			word_is(record->type, "case"));
}

/*
 * Of a check that found nothing, each wake of the host would be a waste: if the
 * kernel dies in the middle of a case, its clauses are the worse for it whatever
 * went well before.
 */
static bool can_wait(const struct glance *record)
{
	return word_is(record->type, "check") &&
	       (word_is(record->verdict, "pass") ||
		word_is(record->verdict, "value") ||
		word_is(record->verdict, "skip"));
}

static struct word member(const json_t *record, const char *key)
{
	const json_t *value = json_object_get(record, key);

	return (struct word){
		.text = json_string_value(value),
		.length = json_string_length(value),
	};
}

static struct glance look_at(const json_t *record)
{
	return (struct glance){
		.type = member(record, "type"),
		.name = member(record, "case"),
		.state = member(record, "state"),
	};
}

static void take_record(void *context, const char *text, size_t length,
			bool whole)
{
	struct progress *progress = context;
	struct glance glance;
	json_t *record = NULL;

	if (!glance_at(&glance, text, length)) {
		record = json_loadb(text, length, 0, NULL);
		glance = look_at(record);
	}
	if (!glance.type.text) {
		json_decref(record);
		emit_bytes("junk", progress->number, text, length, whole);
		return;
	}
	if (is_void(&glance)) {
		json_decref(record);
		return;
	}
	if (word_is(glance.type, "plan"))
		note_plan(progress, text, length);
	else if (word_is(glance.type, "case"))
		note_case(progress, &glance);
	if (record) {
		json_object_set_new(record, "job",
				    json_integer(progress->number));
		emit(record);
	} else {
		emit_with_job(text, length, progress->number,
			      can_wait(&glance));
	}
}

static void take_output(void *context, const char *text, size_t length,
			bool whole)
{
	struct progress *progress = context;

	emit_bytes("output", progress->number, text, length, whole);
}

static bool must_stop(void *context)
{
	(void)context;
	return stop_is_due();
}

static bool has_untried(const struct progress *progress, const char *text)
{
	json_t *plan = json_loads(text, 0, NULL);
	bool found = false;
	const char *name;
	json_t *entry;
	size_t i;

	json_array_foreach(json_object_get(plan, "cases"), i, entry) {
		name = text_member(entry, "case", NULL);
		found |= name && !json_object_get(progress->tried, name);
	}
	json_decref(plan);
	return found;
}

/* Whether a case of the plan was not tried, although another one was. */
static bool is_worth_another_run(const struct progress *progress)
{
	json_t *plan;
	size_t i;

	if (!progress->moved)
		return false;
	json_array_foreach(progress->plans, i, plan)
		if (has_untried(progress, json_string_value(plan)))
			return true;
	return false;
}

struct arguments {
	char **vector;
	size_t count;
};

static bool add_argument(struct arguments *arguments, const char *text)
{
	char **longer = realloc(arguments->vector,
				(arguments->count + 2) * sizeof(*longer));

	if (!longer)
		return false;
	arguments->vector = longer;
	arguments->vector[arguments->count] = text ? strdup(text) : NULL;
	arguments->vector[arguments->count + 1] = NULL;
	return arguments->vector[arguments->count++];
}

static void release_arguments(struct arguments *arguments)
{
	for (size_t i = 0; i < arguments->count; i++)
		free(arguments->vector[i]);
	free(arguments->vector);
}

static bool add_choice(struct arguments *arguments, const char *option,
		       const char *name)
{
	return add_argument(arguments, option) && add_argument(arguments, name);
}

static bool add_chosen(struct arguments *arguments, const json_t *job,
		       const struct progress *progress)
{
	json_t *chosen = json_object_get(job, "cases");
	bool good = true;
	const char *name;
	json_t *entry;
	size_t i;

	/* The harness lets the first word that names a case decide. */
	json_object_foreach(progress->tried, name, entry)
		good = good && add_choice(arguments, "-T", name);
	json_array_foreach(chosen, i, entry)
		good = good && add_choice(arguments, "-t",
					  json_string_value(entry));
	return good;
}

/*
 * The monitor runs the program, and writes a case more where it does. That of a
 * program that is begun again has a number, since a case is begun once.
 */
static bool add_monitor(struct arguments *arguments, const char *program,
			const struct progress *progress)
{
	char name[256];
	int number = 1;

	snprintf(name, sizeof(name), "monitored");
	while (json_object_get(progress->tried, name))
		snprintf(name, sizeof(name), "monitored-%d", ++number);
	return add_argument(arguments, monitor_path()) &&
	       add_choice(arguments, "--case", program) &&
	       add_choice(arguments, "--name", name) &&
	       add_argument(arguments, "--");
}

static bool make_arguments(struct arguments *arguments, const json_t *job,
			   const struct options *options, bool monitored,
			   const struct progress *progress)
{
	const char *origin = text_member(job, "origin", NULL);
	const char *program = text_member(job, "program", "");
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", options->programs,
		 origin ? OTHERS_ADAPTER : program);
	return (!monitored || add_monitor(arguments, program, progress)) &&
	       add_argument(arguments, path) &&
	       (!origin ||
		(add_argument(arguments, others_folder(options, origin)) &&
		 add_argument(arguments, program))) &&
	       add_chosen(arguments, job, progress);
}

static json_t *find_backend(const json_t *backends, const json_t *job,
			    const char *role)
{
	json_t *backend;
	size_t i;

	json_array_foreach(backends, i, backend)
		if (!strcmp(text_member(backend, "selector", ""),
			    text_member(job, role, "")))
			return backend;
	return NULL;
}

/* What is known of both ends; one that is not known is left out. */
static bool add_known(struct arguments *environment, const json_t *job,
		      const struct probe *probe)
{
	json_t *known = json_array();
	char *text, *variable = NULL;
	bool good;

	json_array_append(known, find_backend(probe->exporters, job, "exporter"));
	json_array_append(known, find_backend(probe->importers, job, "importer"));
	text = json_dumps(known, JSON_COMPACT);
	good = text && asprintf(&variable, "DMABUF_CTS_KNOWN=%s", text) >= 0;
	if (good) {
		good = add_argument(environment, variable);
		free(variable);
	}
	free(text);
	json_decref(known);
	return good;
}

static bool make_environment(struct arguments *environment, const json_t *job,
			     const struct options *options,
			     const struct probe *probe)
{
	char exporter[256], importer[256], laws[4200];

	snprintf(exporter, sizeof(exporter), "DMABUF_CTS_EXPORTER=%s",
		 text_member(job, "exporter", ""));
	snprintf(importer, sizeof(importer), "DMABUF_CTS_IMPORTER=%s",
		 text_member(job, "importer", ""));
	snprintf(laws, sizeof(laws), "DMABUF_CTS_LAW=%s", probe->law);
	return add_argument(environment, exporter) &&
	       add_argument(environment, importer) &&
	       (!*probe->law || add_argument(environment, laws)) &&
	       add_known(environment, job, probe) &&
	       (!options_may_disrupt(options) ||
		add_argument(environment, DISRUPTIVE));
}

static void emit_start(const json_t *job, const struct progress *progress)
{
	json_t *record = json_copy((json_t *)job);
	json_t *excluded = json_array();
	const char *name;
	json_t *entry;

	json_object_foreach(progress->tried, name, entry)
		json_array_append_new(excluded, json_string(name));
	json_object_set_new(record, "exclude", excluded);
	json_object_set_new(record, "type", json_string("job"));
	json_object_set_new(record, "state", json_string("start"));
	emit(record);
}

static void emit_end(const struct progress *progress,
		     const struct process_end *end, bool again)
{
	json_t *record = json_pack("{s:s s:i s:s}", "type", "job", "job",
				   progress->number, "state", "end");

	switch (end->fate) {
	case PROCESS_EXITED:
		json_object_set_new(record, "exit", json_integer(end->value));
		break;
	case PROCESS_SIGNALLED:
		json_object_set_new(record, "signal", json_integer(end->value));
		break;
	case PROCESS_TIMED_OUT:
		json_object_set_new(record, "timeout", json_true());
		break;
	case PROCESS_STOPPED:
		json_object_set_new(record, "stopped", json_true());
		break;
	case PROCESS_UNSTARTED:
		json_object_set_new(record, "error",
				    json_sprintf("cannot run the program: %s",
						 strerror(end->value)));
		break;
	}
	if (end->stuck)
		json_object_set_new(record, "stuck", json_true());
	if (again)
		json_object_set_new(record, "again", json_true());
	emit(record);
}

static struct process_end run_once(const json_t *job,
				   const struct options *options,
				   const struct probe *probe,
				   struct progress *progress)
{
	struct process_end end = { .fate = PROCESS_UNSTARTED, .value = 12 };
	struct arguments environment = { 0 }, arguments = { 0 };
	bool ours = !json_object_get(job, "origin");
	bool monitored = ours && monitor_wants(job, options, probe);

	emit_start(job, progress);
	progress->moved = false;
	if (make_arguments(&arguments, job, options, monitored, progress) &&
	    make_environment(&environment, job, options, probe)) {
		struct process process = {
			.number = progress->number,
			.host = ours && !monitored ? options->host : NULL,
			.arguments = arguments.vector,
			.environment = environment.vector,
			.last = progress->last,
			.timeout_ms = options->timeout_s * 1000,
			.record = take_record,
			.output = take_output,
			.must_stop = must_stop,
			.context = progress,
		};

		end = process_run(&process);
	}
	release_arguments(&environment);
	release_arguments(&arguments);
	return end;
}

static enum job_result run_to_the_end(const json_t *job,
				      const struct options *options,
				      const struct probe *probe,
				      struct progress *progress)
{
	struct process_end end;
	bool again;

	do {
		end = run_once(job, options, probe, progress);
		again = (end.fate == PROCESS_SIGNALLED ||
			 end.fate == PROCESS_TIMED_OUT) &&
			!end.stuck && is_worth_another_run(progress) &&
			stop_reason() == STOP_NOT;
		/* However it ended, there is more of it to be run. */
		if (stop_reason() == STOP_NIC)
			end.fate = PROCESS_STOPPED;
		emit_end(progress, &end, again);
	} while (again);

	if (stop_reason() != STOP_NOT)
		return JOB_STOPPED;
	return end.stuck ? JOB_STUCK : JOB_DONE;
}

static void skip_excluded(struct progress *progress, const json_t *job)
{
	json_t *excluded = json_object_get(job, "exclude");
	json_t *name;
	size_t i;

	json_array_foreach(excluded, i, name)
		json_object_set_new(progress->tried, json_string_value(name),
				    json_true());
}

static void emit_unfit(const json_t *job, const struct progress *progress,
		       const char *why)
{
	emit_start(job, progress);
	emit(json_pack("{s:s s:i s:s s:s}", "type", "job", "job",
		       progress->number, "state", "end", "error", why));
}

enum job_result job_run(const json_t *job, const struct options *options,
			const struct probe *probe, bool last)
{
	const char *fault = text_member(job, "fault", NULL);
	enum job_result result = JOB_DONE;
	struct progress progress = {
		.number = json_integer_value(json_object_get(job, "job")),
		.tried = json_object(),
		.last = last,
	};
	const char *why = NULL;

	if (nic_lost(true)) {
		result = JOB_STOPPED;
		goto release_progress;
	}
	skip_excluded(&progress, job);
	if (fault)
		why = fault_set(options->sys_module, fault, true);
	if (why) {
		emit_unfit(job, &progress, why);
		goto release_progress;
	}
	result = run_to_the_end(job, options, probe, &progress);
	if (fault)
		why = fault_set(options->sys_module, fault, false);
	if (why && result != JOB_STOPPED) {
		/* All that came after would be judged with the fault on. */
		emit_note("%s", why);
		result = JOB_STUCK;
	}

release_progress:
	json_decref(progress.plans);
	json_decref(progress.tried);
	return result;
}

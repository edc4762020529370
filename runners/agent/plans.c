// SPDX-License-Identifier: GPL-2.0-only
#include "agent/plans.h"

#include <stdio.h>
#include <string.h>

#include "agent/probe.h"
#include "agent/process.h"
#include "agent/stop.h"
#include "stream/text.h"

static void take_output(void *context, const char *text, size_t length,
			bool whole)
{
	json_t **cases = context;
	json_t *plan = json_loadb(text, length, 0, NULL);

	(void)whole;
	if (!*cases && !strcmp(text_member(plan, "type", ""), "plan"))
		*cases = json_incref(json_object_get(plan, "cases"));
	json_decref(plan);
}

static void ignore_record(void *context, const char *text, size_t length,
			  bool whole)
{
	(void)context;
	(void)text;
	(void)length;
	(void)whole;
}

static bool must_stop(void *context)
{
	(void)context;
	return stop_reason() != STOP_NOT;
}

static json_t *ask(const char *program, const struct options *options,
		   char *variable)
{
	char path[4096], option[] = "--plan";
	char *arguments[] = { path, option, NULL };
	char *environment[] = { variable, NULL };
	json_t *cases = NULL;
	struct process process = {
		.host = options->host,
		.arguments = arguments,
		.environment = environment,
		.timeout_ms = options->timeout_s * 1000,
		.record = ignore_record,
		.output = take_output,
		.must_stop = must_stop,
		.context = &cases,
	};

	snprintf(path, sizeof(path), "%s/%s", options->programs, program);
	process_run(&process);
	return cases;
}

json_t *plans_find(const json_t *programs, const struct options *options,
		   const char *law)
{
	json_t *plans = json_object();
	char variable[LAW_SIZE + 32];
	json_t *name;
	size_t i;

	snprintf(variable, sizeof(variable), "DMABUF_CTS_LAW=%s", law);
	json_array_foreach(programs, i, name) {
		json_t *cases = ask(json_string_value(name), options,
				    *law ? variable : NULL);

		if (cases)
			json_object_set_new(plans, json_string_value(name),
					    cases);
	}
	return plans;
}

static bool cites(const json_t *entry, const struct mutant *mutant)
{
	json_t *clause;
	size_t i;

	json_array_foreach(json_object_get(entry, "clauses"), i, clause)
		if (json_is_string(clause) &&
		    mutant_has_clause(mutant, json_string_value(clause)))
			return true;
	return false;
}

json_t *plans_cases_of(const json_t *plans, const char *program,
		       const struct mutant *mutant)
{
	json_t *plan = json_object_get(plans, program);
	json_t *names, *entry;
	size_t i;

	if (!plan)
		return NULL;
	names = json_array();
	json_array_foreach(plan, i, entry)
		if (cites(entry, mutant))
			json_array_append(names, json_object_get(entry, "case"));
	return names;
}

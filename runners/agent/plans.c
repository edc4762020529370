// SPDX-License-Identifier: GPL-2.0-only
#include "agent/plans.h"

#include <stdio.h>
#include <string.h>

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

static json_t *ask(const char *program, const struct options *options)
{
	char path[4096], option[] = "--plan";
	char *arguments[] = { path, option, NULL };
	char *environment[] = { NULL };
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

json_t *plans_find(const json_t *programs, const struct options *options)
{
	json_t *plans = json_object();
	json_t *name;
	size_t i;

	json_array_foreach(programs, i, name) {
		json_t *cases = ask(json_string_value(name), options);

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

static bool has_capability(const json_t *backend, const char *name)
{
	json_t *capability;
	size_t i;

	json_array_foreach(json_object_get(backend, "capabilities"), i,
			   capability)
		if (json_is_string(capability) &&
		    !strcmp(json_string_value(capability), name))
			return true;
	return false;
}

/* A need is a role and a name: "exporter pin-op". */
static bool is_met(const char *need, const json_t *exporter,
		   const json_t *importer)
{
	/* Of the pair, not of one end: only the program can tell. */
	if (!strcmp(need, "importer self"))
		return true;
	if (!strncmp(need, "exporter ", 9))
		return has_capability(exporter, need + 9);
	if (!strncmp(need, "importer ", 9))
		return has_capability(importer, need + 9);
	return true;
}

static bool case_fits(const json_t *entry, const json_t *exporter,
		      const json_t *importer)
{
	json_t *need;
	size_t i;

	json_array_foreach(json_object_get(entry, "needs"), i, need)
		if (json_is_string(need) &&
		    !is_met(json_string_value(need), exporter, importer))
			return false;
	return true;
}

bool plans_fit(const json_t *plans, const char *program,
	       const json_t *exporter, const json_t *importer)
{
	json_t *plan = json_object_get(plans, program);
	json_t *entry;
	size_t i;

	if (!plan)
		return true;
	json_array_foreach(plan, i, entry)
		if (case_fits(entry, exporter, importer))
			return true;
	return false;
}

/* The peer whose self-test a case is, if its partner is no matter; or NULL. */
static const char *tested_peer(const json_t *entry, const json_t *exporter,
			       const json_t *importer)
{
	json_t *parties = json_object_get(entry, "parties");
	const char *party = json_string_value(json_array_get(parties, 0));
	const json_t *end = NULL;

	if (json_array_size(parties) != 1 ||
	    json_is_true(json_object_get(entry, "each_pair")))
		return NULL;
	if (!strcmp(party, "exporter"))
		end = exporter;
	else if (!strcmp(party, "importer"))
		end = importer;
	return json_is_true(json_object_get(end, "ours")) ?
	       text_member(end, "selector", NULL) : NULL;
}

/* Whether no pair before judges the same of the same peer; from now on one does. */
static bool is_fresh(const char *program, const json_t *entry,
		     const json_t *exporter, const json_t *importer,
		     json_t *judged)
{
	const char *peer = tested_peer(entry, exporter, importer);
	char key[512];

	if (!peer)
		return true;
	snprintf(key, sizeof(key), "%s %s.%s", peer, program,
		 text_member(entry, "case", ""));
	if (json_object_get(judged, key))
		return false;
	json_object_set_new(judged, key, json_true());
	return true;
}

json_t *plans_fresh(const json_t *plans, const char *program,
		    const json_t *exporter, const json_t *importer,
		    json_t *judged)
{
	json_t *plan = json_object_get(plans, program);
	json_t *fresh, *entry;
	bool all = true;
	size_t i;

	if (!plan)
		return NULL;
	fresh = json_array();
	json_array_foreach(plan, i, entry) {
		if (!case_fits(entry, exporter, importer))
			continue;
		if (is_fresh(program, entry, exporter, importer, judged))
			json_array_append(fresh, json_object_get(entry, "case"));
		else
			all = false;
	}
	if (!all)
		return fresh;
	json_decref(fresh);
	return NULL;
}

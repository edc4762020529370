// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "bundle/check.h"
#include "bundle/wrong.h"
#include "report/verdict.h"
#include "stream/text.h"

const json_t *check_find_backend(const struct checked *checked,
				 const char *role, const char *selector)
{
	json_t *backend;
	size_t i;

	json_array_foreach(json_object_get(checked->run, "backends"), i, backend)
		if (!strcmp(text_member(backend, "role", ""), role) &&
		    !strcmp(text_member(backend, "selector", ""), selector))
			return backend;
	return NULL;
}

static const char *name_of(const json_t *leaf)
{
	return memory_print("%s,%s %s.%s %s", text_member(leaf, "exporter", "?"),
			    text_member(leaf, "importer", "?"),
			    text_member(leaf, "program", "?"),
			    text_member(leaf, "case", "?"),
			    text_member(leaf, "clause", "?"));
}

static void check_end(const struct checked *checked)
{
	const json_t *run = checked->run;
	const char *cut_short = text_member(run, "cut_short", NULL);

	if (!json_is_true(json_object_get(run, "complete")))
		wrong("run.json: something of the run remains to be run: go on with 'dmabuf-cts run --resume'");
	if (cut_short)
		wrong("run.json: the run was cut short: %s", cut_short);
}

static const json_t *find_job(const struct checked *checked, json_int_t number)
{
	json_t *job;
	size_t i;

	json_array_foreach(json_object_get(checked->run, "jobs"), i, job)
		if (json_integer_value(json_object_get(job, "job")) == number)
			return job;
	return NULL;
}

static void check_job(const struct checked *checked, const json_t *leaf)
{
	static const char *const members[] = { "exporter", "importer",
					       "program" };
	const json_t *job = find_job(checked,
		json_integer_value(json_object_get(leaf, "job")));

	if (!job) {
		wrong("run.json: %s: there is no such job", name_of(leaf));
		return;
	}
	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		if (strcmp(text_member(leaf, members[i], ""),
			   text_member(job, members[i], ""))) {
			wrong("run.json: %s: its job is another one",
			      name_of(leaf));
			return;
		}
}

/*
 * The monitor judges whom it sees in the kernel, by the kernel's names for them
 * ("system", "ib_uverbs"), which need not be those of the pair's back ends.
 */
#define MONITOR_CASE	"monitored"

static bool is_of_another(const json_t *leaf, const json_t *backend)
{
	if (!strcmp(text_member(leaf, "case", ""), MONITOR_CASE))
		return false;
	return strcmp(text_member(json_object_get(leaf, "subject"), "driver", ""),
		      text_member(backend, "driver", "")) ||
	       json_is_true(json_object_get(leaf, "self_test")) !=
	       json_is_true(json_object_get(backend, "ours"));
}

/* A verdict that was moved from one driver to another would show here. */
static void check_subject(const struct checked *checked, const json_t *leaf)
{
	const json_t *subject = json_object_get(leaf, "subject");
	const char *role = text_member(subject, "role", "");
	bool exports = !strcmp(role, "exporter");
	const json_t *backend;

	if (!exports && strcmp(role, "importer") && strcmp(role, "nic"))
		return;
	role = exports ? "exporter" : "importer";
	backend = check_find_backend(checked, role, text_member(leaf, role, ""));
	if (!backend)
		wrong("run.json: %s: its %s is none that was found",
		      name_of(leaf), role);
	else if (is_of_another(leaf, backend) ||
		 strcmp(text_member(leaf, "evidence", ""),
			text_member(backend, "evidence", "")))
		wrong("run.json: %s: it judges %s %s, the %s is %s", name_of(leaf),
		      text_member(subject, "driver", "?"),
		      text_member(leaf, "evidence", "?"), role,
		      text_member(backend, "driver", "?"));
}

static void check_leaf(const struct checked *checked, const json_t *leaf,
		       json_t *names)
{
	const char *name = name_of(leaf);

	if (json_object_get(names, name))
		wrong("run.json: %s: it is there twice", name);
	json_object_set_new(names, name, json_true());
	if (json_object_get(leaf, "fault"))
		wrong("run.json: %s: a fault was switched on, this is no test of a driver",
		      name);
	check_job(checked, leaf);
	check_subject(checked, leaf);
}

static void check_totals(const struct checked *checked)
{
	const json_t *totals = json_object_get(checked->run, "totals");
	json_t *leaves = json_object_get(checked->run, "leaves");
	json_int_t counts[VERDICT_COUNT] = { 0 };
	json_t *leaf;
	size_t i;

	json_array_foreach(leaves, i, leaf)
		counts[verdict_find(text_member(leaf, "verdict", ""))]++;
	for (i = 1; i < VERDICT_COUNT; i++) {
		json_int_t said = json_integer_value(json_object_get(totals,
			verdict_name(i)));

		if (said != counts[i])
			wrong("run.json: it has %lld verdicts '%s', its totals say %lld",
			      (long long)counts[i], verdict_name(i),
			      (long long)said);
	}
	if (json_integer_value(json_object_get(totals, "leaves")) !=
	    (json_int_t)json_array_size(leaves))
		wrong("run.json: it has %zu verdicts, its totals say otherwise",
		      json_array_size(leaves));
}

void check_run(const struct checked *checked)
{
	json_t *names = json_object();
	json_t *leaf;
	size_t i;

	check_end(checked);
	json_array_foreach(json_object_get(checked->run, "leaves"), i, leaf)
		check_leaf(checked, leaf, names);
	json_decref(names);
	check_totals(checked);
	if (!json_array_size(json_object_get(checked->run, "leaves")))
		wrong("run.json: it judges nothing");
}

static void compare_member(const json_t *one, const json_t *other,
			   const char *name)
{
	if (!json_equal(json_object_get(one, name), json_object_get(other, name)))
		wrong("environment.json: its %s is not that of run.json", name);
}

void check_environment(const struct checked *checked)
{
	const json_t *environment = json_object_get(checked->environment,
						    "environment");

	if (!json_is_object(environment)) {
		wrong("environment.json: it does not describe the environment");
		return;
	}
	compare_member(environment, checked->run, "kernel");
	compare_member(checked->environment, checked->run, "law");
	compare_member(checked->environment, checked->run, "backends");
	if (!json_is_array(json_object_get(environment, "devices")) ||
	    !json_is_object(json_object_get(environment, "iommu")))
		wrong("environment.json: it lacks the devices or the IOMMU");
}

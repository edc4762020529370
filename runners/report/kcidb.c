// SPDX-License-Identifier: GPL-2.0-only
/*
 * KCIDB, the reports that KernelCI collects, in version 5.3 of its schema: a
 * test for each leaf, of one build of one checkout. Where the submitter names
 * the build, it alone describes it.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/render.h"
#include "stream/text.h"

/* What the schema lets "log_excerpt" have; bytes, so never too many. */
#define EXCERPT_MAX	16384

struct submission {
	struct loaded *loaded;
	const char *origin;
	const char *checkout;
	const char *build;
	const char *run;	/* tells this run from all others */
	json_t *environment;
	json_t *tests;
	json_t *paths;		/* all so far */
};

static const char *const statuses[VERDICT_COUNT] = {
	[VERDICT_PASS] = "PASS", [VERDICT_WARN] = "PASS",
	[VERDICT_VALUE] = "DONE", [VERDICT_SKIP] = "SKIP",
	[VERDICT_REFUSED] = "SKIP", [VERDICT_FAIL] = "FAIL",
	[VERDICT_CRASH] = "FAIL", [VERDICT_TIMEOUT] = "FAIL",
	[VERDICT_ERROR] = "ERROR",
};

/* FNV-1a: ids of different runs must differ, nobody means them to clash. */
static const char *digest(const char *text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return memory_print("%016" PRIx64, hash);
}

static const char *digest_of_run(const struct loaded *loaded)
{
	char *text = json_dumps(loaded->json, JSON_COMPACT | JSON_SORT_KEYS);
	const char *hash = digest(text ?: "");

	free(text);
	return hash;
}

/*
 * A part of a path holds letters, digits, '-' and '_'. The first colon, which
 * parts a back end from its instance, becomes '-': names of back ends have none.
 */
static const char *path_part(const char *text)
{
	const char *part = "";
	bool colon_seen = false;

	for (; *text; text++) {
		unsigned char c = *text;

		if (c == ':' && !colon_seen)
			part = memory_print("%s-", part);
		else if (isalnum(c) || c == '-' || c == '_')
			part = memory_print("%s%c", part, c);
		else
			part = memory_print("%s_%02x", part, c);
		colon_seen |= c == ':';
	}
	return part;
}

/* "UAPI-08.a" is a node below "UAPI-08". */
static const char *path_of(const struct leaf *leaf,
			   const struct test_case *test)
{
	const struct job *job = test->job;

	return memory_print("dmabuf-cts.%s.%s.%s.%s.%s",
			    path_part(job->pair->exporter),
			    path_part(job->pair->importer),
			    path_part(job->program), path_part(test->name),
			    leaf->clause);
}

/* The schema lets two tests have one path; readers would take them for one. */
static const char *unique_path(struct submission *submission,
			       const struct leaf *leaf,
			       const struct test_case *test)
{
	const char *path = path_of(leaf, test);
	const char *unique = path;

	for (int i = 2; json_object_get(submission->paths, unique); i++)
		unique = memory_print("%s-%d", path, i);
	json_object_set_new(submission->paths, unique, json_true());
	return unique;
}

/* As much of a text as there is room for, and no half character. */
static json_t *excerpt_of(const char *text)
{
	size_t length = strlen(text);

	if (length > EXCERPT_MAX)
		for (length = EXCERPT_MAX;
		     (text[length] & 0xC0) == 0x80; length--)
			;
	return json_stringn(text, length);
}

static void add_test(struct leaf *leaf, struct test_case *test, void *context)
{
	struct submission *submission = context;
	const char *name = load_leaf_name(leaf, test);
	const char *text = leaf->verdict == VERDICT_VALUE ? leaf->value :
			   leaf->reason;
	json_t *entry = json_pack("{s:s s:s s:s s:s s:s s:s s:O s:f s:O}",
		"build_id", submission->build,
		"id", memory_print("%s:%s:%s", submission->origin,
				   submission->run, name),
		"origin", submission->origin,
		"path", unique_path(submission, leaf, test),
		"comment", memory_print("%s: %s", name,
					verdict_name(leaf->verdict)),
		"status", statuses[leaf->verdict],
		"environment", submission->environment,
		"duration", (test->end_ns - test->start_ns) / 1e9,
		"misc", leaf->recorded);

	if (text && *text)
		json_object_set_new(entry, "log_excerpt", excerpt_of(text));
	json_array_append_new(submission->tests, entry);
}

/* The members of run.json that hold for the whole run. */
static json_t *describe_run(const struct loaded *loaded)
{
	static const char *const members[] = { "suite", "clause_table", "mode",
		"complete", "cut_short", "missing", "leaks",
		"known_leaks" };
	json_t *misc = json_object();

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
		json_t *value = json_object_get(loaded->json, members[i]);

		if (value && !json_is_null(value))
			json_object_set(misc, members[i], value);
	}
	return misc;
}

static json_t *describe_environment(const struct loaded *loaded)
{
	json_t *iommu = json_object_get(loaded->run.environment, "iommu");
	json_t *misc = describe_run(loaded);

	if (iommu)
		json_object_set(misc, "iommu", iommu);
	return json_pack("{s:s s:o}", "comment", memory_print(
			 "dmabuf-cts %s, mode %s, IOMMU %s",
			 text_member(loaded->json, "suite", "?"),
			 text_member(loaded->json, "mode", "?"),
			 text_member(iommu, "mode", "?")), "misc", misc);
}

static json_t *describe_checkout(const struct submission *submission)
{
	json_t *kernel = json_object_get(submission->loaded->json, "kernel");

	return json_pack("[{s:s s:s s:s}]", "id", submission->checkout,
			 "origin", submission->origin, "comment",
			 memory_print("%s %s",
				      text_member(kernel, "release", "?"),
				      text_member(kernel, "version", "")));
}

static json_t *describe_build(const struct submission *submission)
{
	json_t *kernel = json_object_get(submission->loaded->json, "kernel");
	json_t *config = json_object_get(kernel, "config");

	return json_pack("[{s:s s:s s:s s:s s:{s:O?}}]",
			 "id", submission->build,
			 "checkout_id", submission->checkout,
			 "origin", submission->origin, "architecture",
			 text_member(kernel, "arch", ""), "misc",
			 "config", config);
}

/* By release and version, which has the time of the build. */
static void name_build(struct submission *submission, const char *build)
{
	json_t *kernel = json_object_get(submission->loaded->json, "kernel");
	const char *release = text_member(kernel, "release", "?");

	submission->checkout = memory_print("%s:%s-%s", submission->origin,
		release, digest(text_member(kernel, "version", "")));
	submission->build = build ?: memory_print("%s-%s",
		submission->checkout, text_member(kernel, "arch", ""));
}

static json_t *describe(struct submission *submission, bool known_build)
{
	json_t *report = json_pack("{s:{s:i s:i}}", "version",
				   "major", 5, "minor", 3);

	if (!known_build) {
		json_object_set_new(report, "checkouts",
				    describe_checkout(submission));
		json_object_set_new(report, "builds",
				    describe_build(submission));
	}
	json_object_set(report, "tests", submission->tests);
	return report;
}

static bool has_faults(const struct run *run)
{
	for_list(struct job *, job, &run->jobs)
		if (job->fault)
			return true;
	return false;
}

bool render_kcidb(struct loaded *loaded, const struct render_options *options)
{
	struct submission submission = {
		.loaded = loaded, .origin = options->origin,
	};
	json_t *report;

	if (has_faults(&loaded->run)) {
		fprintf(stderr, "cts-report: %s: is of a mutation run, which "
			"judges tests and no kernel\n", loaded->path);
		return false;
	}
	submission.run = digest_of_run(loaded);
	submission.environment = describe_environment(loaded);
	submission.tests = json_array();
	submission.paths = json_object();
	name_build(&submission, options->build);
	run_visit_leaves(&loaded->run, add_test, &submission);
	report = describe(&submission, options->build);
	json_dumpf(report, stdout, JSON_INDENT(1));
	putchar('\n');
	json_decref(report);
	json_decref(submission.environment);
	json_decref(submission.tests);
	json_decref(submission.paths);
	return true;
}

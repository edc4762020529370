// SPDX-License-Identifier: GPL-2.0-only
#include "bundle/verify.h"

#include <stdio.h>

#include "bundle/check.h"
#include "bundle/manifest.h"
#include "bundle/schema.h"
#include "bundle/sha256.h"
#include "bundle/statement.h"
#include "bundle/tar.h"
#include "bundle/wrong.h"
#include "conform/profile.h"
#include "stream/status.h"
#include "stream/text.h"

static const json_t *held(json_t *value)
{
	memory_hold(value);
	json_decref(value);
	return value;
}

/* What goes along with the suite, and so is wrong only if that is broken. */
static const json_t *load(const char *path)
{
	json_error_t error;
	json_t *value = json_load_file(path, 0, &error);

	if (!value) {
		cannot("cannot read %s: %s", path, error.text);
		return NULL;
	}
	return held(value);
}

static const json_t *parse_file(const struct files *files, const char *name)
{
	const struct file *file = files_find(files, name);
	json_error_t error;
	json_t *value;

	if (!file) {
		wrong("%s: it is missing", name);
		return NULL;
	}
	value = json_loadb(file->data, file->size, JSON_REJECT_DUPLICATES,
			   &error);
	if (!value) {
		wrong("%s: it is no whole JSON file: line %d: %s", name,
		      error.line, error.text);
		return NULL;
	}
	return held(value);
}

static const json_t *parse_statement(const struct files *files)
{
	const struct file *file = files_find(files, STATEMENT);
	struct list faults = { 0 };
	const json_t *statement = statement_parse(file ? file->data : "",
						  &faults);

	if (!file)
		wrong(STATEMENT ": it is missing");
	for_list(const char *, fault, &faults)
		wrong(STATEMENT ": %s", fault);
	return file ? statement : NULL;
}

static void check_claims(const struct checked *checked,
			 const struct options *options)
{
	struct list claims = { 0 };

	claims_parse(&claims, options->profile ?:
		     text_member(checked->statement, "Profiles", ""));
	check_profiles(checked, &claims);
}

/* Returns 0, or the status to exit with if this cannot be judged. */
static int check_content(const struct files *files,
			 const struct options *options, const json_t *profiles)
{
	const json_t *schema = load(options->schema);
	struct checked checked = {
		.files = files,
		.plans = load(options->plans),
		.profiles = profiles,
		.allow_blanks = options->allow_blanks,
		.publish = options->publish,
	};

	if (!schema || !checked.plans)
		return EXIT_NOT_JUDGED;
	checked.run = parse_file(files, "run.json");
	checked.environment = parse_file(files, "environment.json");
	checked.statement = parse_statement(files);
	if (!checked.run)
		return 0;
	if (!schema_check("run.json", checked.run, schema))
		return EXIT_NOT_JUDGED;
	if (checked.environment)
		check_environment(&checked);
	if (checked.statement)
		check_statement(&checked);
	check_ktap(&checked);
	check_run(&checked);
	check_tests(&checked);
	if (checked.statement || options->profile)
		check_claims(&checked, options);
	return 0;
}

static void print_verified(const struct files *files)
{
	const struct file *manifest = files_find(files, MANIFEST);
	char hash[SHA256_TEXT_SIZE];

	sha256_text(manifest->data, manifest->size, hash);
	printf("verified: nothing is wrong with the %zu files\nmanifest: sha256 %s\n",
	       files->list.count, hash);
}

static int check_files(struct files *files, const struct options *options)
{
	const json_t *profiles = profiles_load(options->profiles);
	int status;

	if (!profiles || !tar_read(files, stdin) ||
	    !manifest_check(files, profiles_table(profiles)))
		return EXIT_NOT_JUDGED;
	if (files->cut)
		return EXIT_UNEXPECTED;
	status = check_content(files, options, profiles);
	if (status)
		return status;
	if (wrong_count())
		return EXIT_UNEXPECTED;
	if (options->extract && !files_write_folder(files, options->extract))
		return EXIT_NOT_JUDGED;
	print_verified(files);
	return 0;
}

int verify(const struct options *options)
{
	struct files files = { 0 };
	int status = check_files(&files, options);

	files_release(&files);
	return status;
}

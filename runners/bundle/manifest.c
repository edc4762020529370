// SPDX-License-Identifier: GPL-2.0-only
#include "bundle/manifest.h"

#include <stdlib.h>
#include <string.h>

#include "bundle/sha256.h"
#include "bundle/wrong.h"
#include "stream/text.h"
#include "stream/version.h"

/* Versions whose tests this one knows: those that it has itself. */
static const char *const suites[] = { SUITE_VERSION };

static json_t *list_file(const struct file *file)
{
	char hash[SHA256_TEXT_SIZE];

	sha256_text(file->data, file->size, hash);
	return json_pack("{s:s s:I s:s}", "path", file->name,
			 "size", (json_int_t)file->size, "sha256", hash);
}

void manifest_add(struct files *files, const json_t *run, bool private)
{
	json_t *list = json_array();
	json_t *manifest;
	char *text;

	for_list(const struct file *, file, &files->list)
		json_array_append_new(list, list_file(file));
	manifest = json_pack("{s:i s:s s:O? s:O? s:b s:o}",
		"bundle", BUNDLE_FORMAT,
		"suite", text_member(run, "suite", "?"),
		"schema", json_object_get(run, "schema"),
		"clause_table", json_object_get(run, "clause_table"),
		"private", private, "files", list);
	text = json_dumps(manifest, JSON_INDENT(1));
	json_decref(manifest);
	if (text)
		files_add(files, MANIFEST, text, strlen(text));
}

static void check_file(const struct files *files, const json_t *entry)
{
	const char *name = text_member(entry, "path", "(no path)");
	const struct file *file = files_find(files, name);
	char hash[SHA256_TEXT_SIZE];
	json_int_t size = json_integer_value(json_object_get(entry, "size"));

	if (!files_is_safe(name) || files_content(name) == CONTENT_NONE) {
		wrong("%s: the manifest lists what is no part of a run", name);
		return;
	}
	if (!file) {
		if (!files->cut)
			wrong("%s: it is listed, and is not there", name);
		return;
	}
	sha256_text(file->data, file->size, hash);
	if (size != (json_int_t)file->size)
		wrong("%s: it has %zu bytes, the manifest says %lld: it was changed",
		      name, file->size, (long long)size);
	else if (strcmp(hash, text_member(entry, "sha256", "")))
		wrong("%s: its hash is not that of the manifest: it was changed",
		      name);
}

static const json_t *find_entry(const json_t *list, const char *name)
{
	const json_t *found = NULL;
	json_t *entry;
	size_t i;

	json_array_foreach(list, i, entry) {
		if (strcmp(text_member(entry, "path", ""), name))
			continue;
		if (found)
			wrong("%s: the manifest lists it twice", name);
		found = entry;
	}
	return found;
}

static void check_unlisted(const struct files *files, const json_t *list)
{
	for_list(const struct file *, file, &files->list)
		if (strcmp(file->name, MANIFEST) &&
		    !find_entry(list, file->name))
			wrong("%s: it is there, and not listed", file->name);
}

static bool is_known_suite(const char *suite)
{
	for (size_t i = 0; i < sizeof(suites) / sizeof(*suites); i++)
		if (!strcmp(suites[i], suite))
			return true;
	return false;
}

/* Only a suite that has the same tests can tell whether one was left out. */
static bool check_versions(const json_t *manifest, int clause_table)
{
	json_t *format = json_object_get(manifest, "bundle");
	const char *suite = text_member(manifest, "suite", "(none)");
	json_int_t schema = json_integer_value(json_object_get(manifest,
							       "schema"));
	json_int_t table = json_integer_value(json_object_get(manifest,
							      "clause_table"));

	if (json_integer_value(format) != BUNDLE_FORMAT)
		cannot("this bundle has format %lld, this suite knows %d: use the suite that it names, %s",
		       (long long)json_integer_value(format), BUNDLE_FORMAT,
		       suite);
	else if (!is_known_suite(suite) || schema != STREAM_SCHEMA)
		cannot("the bundle is of suite %s (schema %lld), this is %s (schema %d): verify it with the suite that wrote it",
		       suite, (long long)schema, SUITE_VERSION, STREAM_SCHEMA);
	else if (table != clause_table)
		cannot("the bundle is of clause table %lld, this suite has %d: verify it with the suite that wrote it",
		       (long long)table, clause_table);
	else
		return true;
	return false;
}

bool manifest_check(const struct files *files, int clause_table)
{
	const struct file *file = files_find(files, MANIFEST);
	json_t *manifest, *list, *entry;
	json_error_t error;
	bool good;
	size_t i;

	if (!file && files->cut)
		return false;
	if (!file) {
		cannot("there is no " MANIFEST " in it: it is no bundle, or half of one");
		return false;
	}
	manifest = json_loadb(file->data, file->size, 0, &error);
	list = json_object_get(manifest, "files");
	if (!json_is_array(list)) {
		cannot(MANIFEST " cannot be read: %s",
		       manifest ? "it lists no files" : error.text);
		json_decref(manifest);
		return false;
	}
	json_array_foreach(list, i, entry)
		check_file(files, entry);
	check_unlisted(files, list);
	good = check_versions(manifest, clause_table);
	json_decref(manifest);
	return good;
}

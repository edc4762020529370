// SPDX-License-Identifier: GPL-2.0-only
#include "agent/choice.h"

#include <stdio.h>
#include <string.h>

#include "agent/emit.h"
#include "stream/text.h"

static void append(char *text, size_t size, const char *separator,
		   const char *word)
{
	size_t used = strlen(text);

	snprintf(text + used, size - used, "%s%s", used ? separator : "", word);
}

void list_names(char *text, size_t size, const json_t *array, const char *key)
{
	json_t *entry;
	size_t i;

	json_array_foreach(array, i, entry)
		append(text, size, ", ", key ? text_member(entry, key, "?") :
					       json_string_value(entry));
}

void list_reasons(char *text, size_t size, const json_t *backend)
{
	json_t *reason;
	size_t i;

	json_array_foreach(json_object_get(backend, "reasons"), i, reason)
		if (json_is_string(reason))
			append(text, size, "; ", json_string_value(reason));
	if (!*text)
		append(text, size, "", "no reason was given");
}

static bool is_available(const json_t *backend)
{
	return json_is_true(json_object_get(backend, "available"));
}

/*
 * "drm:pci=0000:00:07.0" and "verbs:0000:00:09.0" name what stands on that
 * device, whatever its selector is.
 */
static bool is_named_by_device(const json_t *backend, const char *word)
{
	const char *selector = text_member(backend, "selector", "");
	const char *device = text_member(backend, "device", "");
	size_t name = strcspn(selector, ":");

	if (!*device || strncmp(selector, word, name) || word[name] != ':')
		return false;
	word += name + 1;
	if (!strncmp(word, "pci=", strlen("pci=")))
		word += strlen("pci=");
	return !strcmp(word, device);
}

/* "drm" names drm:vgem and every other instance. */
static bool is_named(const json_t *backend, const char *word)
{
	const char *selector = text_member(backend, "selector", "");
	size_t length = strlen(word);

	return (!strncmp(selector, word, length) &&
		(selector[length] == '\0' || selector[length] == ':')) ||
	       is_named_by_device(backend, word);
}

static bool is_named_by_any(const json_t *backend, const struct words *words)
{
	for (size_t i = 0; i < words->count; i++)
		if (is_named(backend, words->words[i]))
			return true;
	return !words->count;
}

static void describe_all(char *text, size_t size, const json_t *found)
{
	json_t *backend;
	size_t i;

	json_array_foreach(found, i, backend) {
		char reasons[1024] = "";

		append(text, size, ", ", text_member(backend, "selector", "?"));
		if (is_available(backend))
			continue;
		list_reasons(reasons, sizeof(reasons), backend);
		append(text, size, " (absent: ", reasons);
		append(text, size, "", ")");
	}
}

static int check_selector(const json_t *found, const char *word,
			  const char *role)
{
	char text[8192] = "";
	json_t *backend;
	bool named = false;
	size_t i;

	json_array_foreach(found, i, backend) {
		if (!is_named(backend, word))
			continue;
		if (is_available(backend))
			return 0;
		named = true;
		list_reasons(text, sizeof(text), backend);
	}
	if (named) {
		emit_error(EXIT_NOT_JUDGED, "%s %s is absent here: %s", role,
			   word, text);
		return EXIT_NOT_JUDGED;
	}
	describe_all(text, sizeof(text), found);
	emit_error(EXIT_USAGE, "no %s is called %s; there are: %s", role, word,
		   *text ? text : "none");
	return EXIT_USAGE;
}

int choose_backends(json_t **chosen, const json_t *found,
		    const struct words *selectors, const char *role)
{
	json_t *backend;
	size_t i;

	*chosen = json_array();
	for (i = 0; i < selectors->count; i++) {
		int status = check_selector(found, selectors->words[i], role);

		if (status)
			return status;
	}
	json_array_foreach(found, i, backend)
		if (is_available(backend) &&
		    is_named_by_any(backend, selectors))
			json_array_append(*chosen, backend);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "bundle/statement.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "conform/profile.h"
#include "stream/text.h"

/* What is known of a run before anybody fills in anything. */
struct knowledge {
	const json_t *run;
	const json_t *environment;
	const json_t *profiles;
};

static const char *add(const char *text, const char *more)
{
	if (text && strstr(text, more))
		return text;
	return text ? memory_print("%s, %s", text, more) : more;
}

static bool is_drivers(const json_t *backend)
{
	return json_is_true(json_object_get(backend, "available")) &&
	       !json_is_true(json_object_get(backend, "ours"));
}

static const char *known_drivers(const struct knowledge *knowledge)
{
	const char *text = NULL;
	json_t *backend;
	size_t i;

	json_array_foreach(json_object_get(knowledge->run, "backends"), i,
			   backend)
		if (is_drivers(backend))
			text = add(text, memory_print("%s %s",
				text_member(backend, "driver", "?"),
				text_member(backend, "version", "")));
	return text;
}

static const char *known_firmware(const struct knowledge *knowledge)
{
	json_t *devices = json_object_get(json_object_get(
		knowledge->environment, "environment"), "devices");
	const char *text = NULL;
	json_t *device;
	size_t i;

	json_array_foreach(devices, i, device)
		if (text_member(device, "firmware", NULL))
			text = add(text, memory_print("%s: %s",
				text_member(device, "driver", "?"),
				text_member(device, "firmware", "")));
	return text;
}

static const char *known_kernel(const struct knowledge *knowledge)
{
	return text_member(json_object_get(knowledge->run, "kernel"),
			   "release", NULL);
}

const json_t *statement_suggest(const json_t *profiles, const json_t *backend)
{
	struct showing showing = {
		.capabilities = json_object_get(backend, "capabilities"),
	};
	const char *role = text_member(backend, "role", "");
	const json_t *best = NULL, *profile = NULL;

	while ((profile = profiles_next(profiles, role, profile)))
		if (!profile_compare(profile, &showing).lacks.count)
			best = profile;
	return best;
}

/* A comment, not an answer: what is claimed is the submitter's to say. */
static const char *suggested_profiles(const struct knowledge *knowledge)
{
	const char *text = NULL;
	json_t *backend;
	size_t i;

	json_array_foreach(json_object_get(knowledge->run, "backends"), i,
			   backend) {
		const json_t *profile =
			statement_suggest(knowledge->profiles, backend);

		if (is_drivers(backend) && profile)
			text = add(text, memory_print("%s %s",
				text_member(backend, "driver", "?"),
				profile_name(profile)));
	}
	return text ? memory_print("# What the drivers of this run declare: %s\n",
				   text) : NULL;
}

static const struct {
	const char *name;
	const char *help;
	const char *(*known)(const struct knowledge *knowledge);
	const char *(*comment)(const struct knowledge *knowledge);
} fields[] = {
	{ .name = "Submitter",
	  .help = "# Who answers for this run: a person or a company.\n" },
	{ .name = "Contact", .help = "# An address for questions.\n" },
	{ .name = "Hardware",
	  .help = "# Card and machine, as people would buy them; 'none' in a virtual machine.\n" },
	{ .name = "Driver",
	  .help = "# The drivers under test, with their versions or commits.\n",
	  .known = known_drivers },
	{ .name = "Firmware",
	  .help = "# Firmware of the card; 'none' if it has none.\n",
	  .known = known_firmware },
	{ .name = "Kernel",
	  .help = "# The kernel's release, as the run has it.\n",
	  .known = known_kernel },
	{ .name = "Profiles",
	  .help = "# Profiles of conformance that are claimed, as 'DRIVER PROFILE, ...', or 'none'\n"
		  "# ('dmabuf-cts explain --profiles' lists them).\n",
	  .comment = suggested_profiles },
	{ .name = "Consent",
	  .help = "# Whether the results may be published: yes or no.\n" },
};

#define FIELDS	(sizeof(fields) / sizeof(*fields))

const char *statement_template(const json_t *run, const json_t *environment,
			       const json_t *profiles)
{
	const struct knowledge knowledge = { run, environment, profiles };
	const char *text = "# Statement on a run of dmabuf-cts. Fill in what stands blank;\n"
			   "# a line that begins with a space goes on with the one before.\n";

	for (size_t i = 0; i < FIELDS; i++) {
		const char *known = fields[i].known ?
				    fields[i].known(&knowledge) : NULL;
		const char *comment = fields[i].comment ?
				      fields[i].comment(&knowledge) : NULL;

		text = memory_print("%s\n%s%s%s:%s%s\n", text, fields[i].help,
				    comment ?: "", fields[i].name,
				    known ? " " : "", known ?: "");
	}
	return text;
}

static bool is_field(const char *name)
{
	for (size_t i = 0; i < FIELDS; i++)
		if (!strcmp(fields[i].name, name))
			return true;
	return false;
}

static const char *trimmed(const char *text, size_t length)
{
	while (length && isspace((unsigned char)*text)) {
		text++;
		length--;
	}
	while (length && isspace((unsigned char)text[length - 1]))
		length--;
	return memory_print("%.*s", (int)length, text);
}

static const char *trim(const char *text)
{
	return trimmed(text, strlen(text));
}

/* What JSON cannot carry is no text that people wrote. */
static json_t *text_value(const char *text)
{
	return json_string(text) ?: json_string("(not UTF-8)");
}

static const char *parse_field(json_t *statement, const char *line,
			       size_t length, struct list *faults)
{
	const char *colon = memchr(line, ':', length);
	const char *name = trimmed(line, colon ? (size_t)(colon - line) : length);

	if (!colon || !is_field(name)) {
		list_add(faults, (char *)memory_print(
			"there is no field '%s'", name));
		return NULL;
	}
	if (json_object_get(statement, name))
		list_add(faults, (char *)memory_print(
			"the field '%s' is there twice", name));
	colon++;
	json_object_set_new(statement, name,
			    text_value(trimmed(colon, line + length - colon)));
	return name;
}

const json_t *statement_parse(const char *text, struct list *faults)
{
	json_t *statement = memory_hold(json_object());
	const char *name = NULL;

	json_decref(statement);
	for (const char *line = text; *line; line += *line == '\n') {
		size_t length = strcspn(line, "\n");
		const char *whole = trimmed(line, length);

		if (*line == ' ' && name && *whole)
			json_object_set_new(statement, name, text_value(
				trim(memory_print("%s %s",
					text_member(statement, name, ""),
					whole))));
		else if (*whole && *line != '#')
			name = parse_field(statement, line, length, faults);
		line += length;
	}
	return statement;
}

struct list statement_blanks(const json_t *statement)
{
	struct list blanks = { 0 };

	for (size_t i = 0; i < FIELDS; i++)
		if (!*text_member(statement, fields[i].name, ""))
			list_add(&blanks, (char *)fields[i].name);
	return blanks;
}

static void add_claim(struct list *claims, const char *words)
{
	size_t length = strcspn(words, " ");
	struct claim *claim = memory_get(sizeof(*claim));

	claim->profile = words;
	if (words[length]) {
		claim->driver = memory_print("%.*s", (int)length, words);
		claim->profile = trim(words + length);
	}
	list_add(claims, claim);
}

void claims_parse(struct list *claims, const char *text)
{
	while (*text) {
		size_t length = strcspn(text, ",");
		const char *words = trimmed(text, length);

		if (*words && strcmp(words, "none"))
			add_claim(claims, words);
		text += length;
		text += *text == ',';
	}
}

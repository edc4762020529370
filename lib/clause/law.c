// SPDX-License-Identifier: GPL-2.0-only
/* The law of the kernel under test: its features, and how they are written. */

#include "clause/law.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "clause/law_probe.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

static const struct feature {
	const char *name;
	const char *yes;
	const char *no;
} features[LAW_COUNT] = {
#define LAW(id, name_, yes_, no_) \
	[LAW_##id] = { .name = name_, .yes = yes_, .no = no_ },
#include "clause/law.def"
#undef LAW
};

static const char *const value_names[] = {
	[EITHER] = "either",
	[NO] = "no",
	[YES] = "yes",
};

/*
 * Values that came into the kernel together, or of which one needs the other.
 * A law with such a pair is of a kernel that nobody has looked at.
 */
static const struct conflict {
	enum law_feature feature;
	enum law_value value;
	enum law_feature other;
	enum law_value other_value;
	const char *text;
} conflicts[] = {
	{ LAW_NOTIFY_OPTIONAL, YES, LAW_MOVES_WHILE_MAPPED, NO,
	  "the callback for moves is optional, yet every mapping pins" },
	{ LAW_NOTIFY_OPTIONAL, YES, LAW_MAPS_AT_ATTACH, YES,
	  "the callback for moves is optional, yet the core maps at attach" },
	{ LAW_NOTIFY_OPTIONAL, YES, LAW_REVOCABLE_QUERY, NO,
	  "the callback for moves is optional, yet the core does not tell who can be revoked" },
	{ LAW_NOTIFY_OPTIONAL, NO, LAW_REVOCABLE_QUERY, YES,
	  "the core tells who can be revoked, yet the callback for moves is mandatory" },
	{ LAW_NOTIFY_OPTIONAL, NO, LAW_PINNED_NOTIFY_REVOKES, YES,
	  "a notice to a pinned importer means revoke, yet the callback is mandatory" },
	{ LAW_PINS_AT_ATTACH, YES, LAW_MAPS_AT_ATTACH, NO,
	  "the core pins at attach but does not map there" },
	{ LAW_PINS_AT_ATTACH, NO, LAW_MAPS_AT_ATTACH, YES,
	  "the core maps at attach but does not pin there" },
	{ LAW_CACHED_SGT, YES, LAW_MAPS_AT_ATTACH, NO,
	  "an exporter can have its mappings kept, yet the core keeps none" },
	{ LAW_CACHED_SGT, NO, LAW_MAPS_AT_ATTACH, YES,
	  "the core keeps mappings, yet an exporter cannot ask for it" },
	{ LAW_MAP_LOCK_ALWAYS, YES, LAW_VMAP_LOCKED, NO,
	  "map always needs the reservation, yet vmap has a lock of its own" },
	{ LAW_MAP_LOCK_ALWAYS, NO, LAW_VMAP_LOCKED, YES,
	  "vmap needs the reservation, yet map does not always" },
	{ LAW_UMEM_REVOCABLE, YES, LAW_UMEM_REVOKES, NO,
	  "exporters can make RDMA core revoke, yet it cannot revoke" },
};

const char *law_name(enum law_feature feature)
{
	return features[feature].name;
}

const char *law_meaning(enum law_feature feature, enum law_value value)
{
	switch (value) {
	case YES:
		return features[feature].yes;
	case NO:
		return features[feature].no;
	default:
		return "not known";
	}
}

const char *law_value_name(enum law_value value)
{
	return value_names[value];
}

static int find_feature(const char *name, size_t length)
{
	for (int i = 0; i < LAW_COUNT; i++)
		if (strlen(features[i].name) == length &&
		    !memcmp(features[i].name, name, length))
			return i;
	return -1;
}

static int find_value(const char *name, size_t length)
{
	for (int i = 0; i < (int)COUNT(value_names); i++)
		if (strlen(value_names[i]) == length &&
		    !memcmp(value_names[i], name, length))
			return i;
	return -1;
}

/* Reads one "name=value" of @length bytes. */
static int parse_item(const char *item, size_t length, struct law *law,
		      char *problem, size_t size)
{
	const char *equals = memchr(item, '=', length);
	int feature, value;

	if (!equals) {
		snprintf(problem, size, "\"%.*s\" has no \"=\"",
			 (int)length, item);
		return -EINVAL;
	}
	feature = find_feature(item, equals - item);
	if (feature < 0) {
		snprintf(problem, size, "no feature has the name \"%.*s\"",
			 (int)(equals - item), item);
		return -EINVAL;
	}
	value = find_value(equals + 1, item + length - equals - 1);
	if (value < 0) {
		snprintf(problem, size,
			 "\"%.*s\" is not \"yes\", \"no\" or \"either\"",
			 (int)length, item);
		return -EINVAL;
	}
	if (*law->source[feature]) {
		snprintf(problem, size, "%s is named twice",
			 features[feature].name);
		return -EINVAL;
	}
	law->value[feature] = value;
	snprintf(law->source[feature], LAW_SOURCE_SIZE, "%s", LAW_VARIABLE);
	return 0;
}

static void name_missing_sources(struct law *law)
{
	for (int i = 0; i < LAW_COUNT; i++)
		if (!*law->source[i])
			snprintf(law->source[i], LAW_SOURCE_SIZE,
				 "not in %s", LAW_VARIABLE);
}

int law_parse(const char *text, struct law *law, char *problem, size_t size)
{
	memset(law, 0, sizeof(*law));
	while (*text) {
		size_t length = strcspn(text, ",");
		int error = parse_item(text, length, law, problem, size);

		if (error)
			return error;
		text += length;
		text += *text == ',';
	}
	name_missing_sources(law);
	return 0;
}

size_t law_format(const struct law *law, char *text, size_t size)
{
	size_t length = 0;

	for (int i = 0; i < LAW_COUNT; i++)
		length += snprintf(length < size ? text + length : NULL,
				   length < size ? size - length : 0,
				   "%s%s=%s", i ? "," : "", features[i].name,
				   value_names[law->value[i]]);
	return length;
}

const char *law_unexpected(const struct law *law, size_t index)
{
	for (size_t i = 0; i < COUNT(conflicts); i++) {
		const struct conflict *conflict = &conflicts[i];

		if (law->value[conflict->feature] == conflict->value &&
		    law->value[conflict->other] == conflict->other_value &&
		    !index--)
			return conflict->text;
	}
	return NULL;
}

static void print_record(json_t *record, FILE *out)
{
	if (!record)
		abort();
	json_dumpf(record, out, JSON_COMPACT);
	putc('\n', out);
	json_decref(record);
}

void law_print(const struct law *law, FILE *out)
{
	const char *text;

	for (int i = 0; i < LAW_COUNT; i++)
		print_record(json_pack("{s:s s:s s:s s:s s:s}",
				       "type", "law",
				       "feature", law_name(i),
				       "value", law_value_name(law->value[i]),
				       "meaning", law_meaning(i, law->value[i]),
				       "source", law->source[i]), out);
	for (size_t i = 0; (text = law_unexpected(law, i)); i++)
		print_record(json_pack("{s:s s:s+++}", "type", "note",
				       "text", "unexpected law: ", text,
				       "; the clauses were not written for ",
				       "such a kernel"), out);
}

static struct law present;
static bool loaded;

void law_load(void)
{
	const char *text = getenv(LAW_VARIABLE);
	char problem[120];

	if (loaded)
		return;
	if (!text) {
		law_probe("", NULL, &present);
	} else if (law_parse(text, &present, problem, sizeof(problem))) {
		fprintf(stderr,
			"%s: %s; unset it to have this kernel probed\n",
			LAW_VARIABLE, problem);
		exit(2);
	}
	loaded = true;
}

const struct law *law_present(void)
{
	law_load();
	return &present;
}

enum law_value law_value(enum law_feature feature)
{
	return law_present()->value[feature];
}

bool law_is(enum law_feature feature)
{
	return law_value(feature) == YES;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "bundle/schema.h"

#include <regex.h>
#include <string.h>

#include "bundle/wrong.h"
#include "report/memory.h"

/* So that one broken list does not fill the screen. */
#define FAULTS_SHOWN	20

struct checking {
	const char *name;
	const json_t *root;
	size_t faults;
	bool quiet;		/* only whether it keeps the schema */
	bool usable;
};

typedef void (*keyword_check)(struct checking *checking, const char *path,
			      const json_t *value, const json_t *rule);

static void check(struct checking *checking, const char *path,
		  const json_t *value, const json_t *schema);

static void fault(struct checking *checking, const char *path,
		  const char *what)
{
	if (checking->faults++ < FAULTS_SHOWN && !checking->quiet)
		wrong("%s: %s %s", checking->name, *path ? path : "it", what);
}

static bool has_type(const json_t *value, const char *type)
{
	static const struct {
		const char *name;
		json_type types[2];
	} types[] = {
		{ "object", { JSON_OBJECT, JSON_OBJECT } },
		{ "array", { JSON_ARRAY, JSON_ARRAY } },
		{ "string", { JSON_STRING, JSON_STRING } },
		{ "integer", { JSON_INTEGER, JSON_INTEGER } },
		{ "number", { JSON_INTEGER, JSON_REAL } },
		{ "boolean", { JSON_TRUE, JSON_FALSE } },
		{ "null", { JSON_NULL, JSON_NULL } },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (!strcmp(types[i].name, type))
			return json_typeof(value) == types[i].types[0] ||
			       json_typeof(value) == types[i].types[1];
	return false;
}

static void check_type(struct checking *checking, const char *path,
		       const json_t *value, const json_t *rule)
{
	json_t *type;
	size_t i;

	if (json_is_string(rule) && has_type(value, json_string_value(rule)))
		return;
	json_array_foreach(rule, i, type)
		if (has_type(value, json_string_value(type)))
			return;
	fault(checking, path, "is of the wrong type");
}

static void check_required(struct checking *checking, const char *path,
			   const json_t *value, const json_t *rule)
{
	json_t *name;
	size_t i;

	json_array_foreach(rule, i, name)
		if (json_is_object(value) &&
		    !json_object_get(value, json_string_value(name)))
			fault(checking, path, memory_print("lacks the member '%s'",
				json_string_value(name)));
}

static void check_properties(struct checking *checking, const char *path,
			     const json_t *value, const json_t *rule)
{
	const char *name;
	json_t *schema;

	json_object_foreach((json_t *)rule, name, schema) {
		const json_t *member = json_object_get(value, name);

		if (member)
			check(checking, memory_print("%s%s%s", path,
						     *path ? "/" : "", name),
			      member, schema);
	}
}

static void check_others(struct checking *checking, const char *path,
			 const json_t *value, const json_t *rule)
{
	const char *name;
	json_t *member;

	if (json_is_object(rule))
		json_object_foreach((json_t *)value, name, member)
			check(checking, memory_print("%s/%s", path, name),
			      member, rule);
}

static void check_items(struct checking *checking, const char *path,
			const json_t *value, const json_t *rule)
{
	json_t *item;
	size_t i;

	if (json_is_array(value))
		json_array_foreach((json_t *)value, i, item)
			check(checking, memory_print("%s/%zu", path, i), item,
			      rule);
}

static void check_enum(struct checking *checking, const char *path,
		       const json_t *value, const json_t *rule)
{
	json_t *allowed;
	size_t i;

	json_array_foreach(rule, i, allowed)
		if (json_equal(value, allowed))
			return;
	fault(checking, path, json_is_string(value) ?
	      memory_print("is '%s', which is none of the words for it",
			   json_string_value(value)) :
	      "is none of the words for it");
}

static void check_const(struct checking *checking, const char *path,
			const json_t *value, const json_t *rule)
{
	if (!json_equal(value, rule))
		fault(checking, path, "has not the value that it must have");
}

static void check_minimum(struct checking *checking, const char *path,
			  const json_t *value, const json_t *rule)
{
	if (json_is_number(value) &&
	    json_number_value(value) < json_number_value(rule))
		fault(checking, path, "is too small");
}

static void check_length(struct checking *checking, const char *path,
			 const json_t *value, const json_t *rule)
{
	if (json_is_string(value) &&
	    (json_int_t)json_string_length(value) < json_integer_value(rule))
		fault(checking, path, "is too short");
}

static void check_pattern(struct checking *checking, const char *path,
			  const json_t *value, const json_t *rule)
{
	regex_t pattern;

	if (!json_is_string(value))
		return;
	if (regcomp(&pattern, json_string_value(rule), REG_EXTENDED | REG_NOSUB)) {
		checking->usable = false;
		return;
	}
	if (regexec(&pattern, json_string_value(value), 0, NULL, 0))
		fault(checking, path, memory_print("is '%s', which does not look like one",
						   json_string_value(value)));
	regfree(&pattern);
}

static void check_any(struct checking *checking, const char *path,
		      const json_t *value, const json_t *rule)
{
	json_t *schema;
	size_t i;

	json_array_foreach(rule, i, schema) {
		struct checking one = { .root = checking->root, .quiet = true,
					.usable = true, .name = checking->name };

		check(&one, path, value, schema);
		if (!one.faults)
			return;
	}
	fault(checking, path, "is nothing that it may be");
}

static void check_reference(struct checking *checking, const char *path,
			    const json_t *value, const json_t *rule)
{
	const char *name = json_string_value(rule) ?: "";
	const json_t *schema = NULL;

	if (!strncmp(name, "#/$defs/", 8))
		schema = json_object_get(json_object_get(checking->root, "$defs"),
					 name + 8);
	if (schema)
		check(checking, path, value, schema);
	else
		checking->usable = false;
}

static const struct {
	const char *name;
	keyword_check check;	/* NULL: says nothing about a value */
} keywords[] = {
	{ "type", check_type },
	{ "required", check_required },
	{ "properties", check_properties },
	{ "additionalProperties", check_others },
	{ "items", check_items },
	{ "enum", check_enum },
	{ "const", check_const },
	{ "minimum", check_minimum },
	{ "minLength", check_length },
	{ "pattern", check_pattern },
	{ "anyOf", check_any },
	{ "$ref", check_reference },
	{ "description", NULL }, { "title", NULL }, { "$schema", NULL },
	{ "$id", NULL }, { "$comment", NULL }, { "$defs", NULL },
};

static void check(struct checking *checking, const char *path,
		  const json_t *value, const json_t *schema)
{
	const char *name;
	json_t *rule;

	json_object_foreach((json_t *)schema, name, rule) {
		size_t i = 0;

		while (i < sizeof(keywords) / sizeof(*keywords) &&
		       strcmp(keywords[i].name, name))
			i++;
		if (i == sizeof(keywords) / sizeof(*keywords))
			checking->usable = false;
		else if (keywords[i].check)
			keywords[i].check(checking, path, value, rule);
	}
}

bool schema_check(const char *name, const json_t *value, const json_t *schema)
{
	struct checking checking = { .name = name, .root = schema,
				     .usable = true };

	check(&checking, "", value, schema);
	if (!checking.usable)
		cannot("the schema of %s has a keyword that is not known here",
		       name);
	else if (checking.faults > FAULTS_SHOWN)
		wrong("%s: and %zu more of that kind", name,
		      checking.faults - FAULTS_SHOWN);
	return checking.usable;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "bundle/hide.h"

#include <ctype.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bundle/secret.h"
#include "bundle/wrong.h"
#include "stream/text.h"

static const struct {
	const char *kind;
	const char *what;
} words[] = {
#define WORD(kind, what) { #kind, what },
#define PATTERN(...)
#define MEMBER(...)
#include "bundle/hide.def"
};

struct pattern {
	const char *kind;
	int part;
	const char *what;
	const char *text;
	regex_t compiled;
};

static struct pattern patterns[] = {
#define WORD(...)
#define PATTERN(kind_, part_, what_, text_) \
	{ .kind = #kind_, .part = part_, .what = what_, .text = text_ },
#define MEMBER(...)
#include "bundle/hide.def"
};

static struct pattern members[] = {
#define WORD(...)
#define PATTERN(...)
#define MEMBER(kind_, what_, text_) \
	{ .kind = #kind_, .what = what_, .text = text_ },
#include "bundle/hide.def"
};

#define COUNT(array)	(sizeof(array) / sizeof(*(array)))
#define PARTS_MAX	8

/* Shorter ones found by their neighbours may be any number or word. */
#define LEARNED_MIN	4

/* Words of the suite: without them nobody could read or verify the results. */
static const char *const structure[] = {
	"program", "case", "clause", "verdict", "strength", "role", "feature",
	"mode", "arch", "event", "evidence", "driver", "type",
};
static const char *const reserved[] = {
	"root", "localhost", "ok", "not", "peer", "test", "user", "any", "all",
	"kernel", "lo",
	/* What stands for other things. */
	"serial", "host", "interface", "device", "id", "uuid", "mac",
	"address", "guid", "pci", "hidden",
};

struct hiding {
	struct secrets secrets;
	json_t *reserved;	/* words that stay, as an object's names */
	json_t *kept;		/* those, and the names of members in JSON */
};

void hide_list(void)
{
	for (size_t i = 0; i < COUNT(words); i++)
		printf("%-10s %s\n", words[i].kind, words[i].what);
	for (size_t i = 0; i < COUNT(patterns); i++)
		printf("%-10s %s\n", patterns[i].kind, patterns[i].what);
	for (size_t i = 0; i < COUNT(members); i++)
		printf("%-10s %s, in members of JSON files so named\n",
		       members[i].kind, members[i].what);
}

static bool compile(struct pattern *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (regcomp(&list[i].compiled, list[i].text,
			    REG_EXTENDED | REG_ICASE)) {
			cannot("what to hide cannot be looked for: %s",
			       list[i].text);
			return false;
		}
	return true;
}

/* "udmabuf,drm:vgem": the words that it is made of. */
static void reserve(json_t *object, const char *text)
{
	while (*text) {
		size_t length = strcspn(text, " ,:.=[]()");
		const char *word = memory_print("%.*s", (int)length, text);

		if (length)
			json_object_set_new(object, word, json_true());
		text += length;
		text += *text != '\0';
	}
}

static void reserve_members(json_t *object, const json_t *value)
{
	const char *name;
	json_t *member;
	size_t i;

	for (i = 0; json_is_object(value) && i < COUNT(structure); i++)
		reserve(object, text_member(value, structure[i], ""));
	if (json_is_object(value) && json_is_true(json_object_get(value, "ours")))
		reserve(object, text_member(value, "selector", ""));
	if (json_is_object(value))
		json_object_foreach((json_t *)value, name, member)
			reserve_members(object, member);
	json_array_foreach(value, i, member)
		reserve_members(object, member);
}

/* Member names are the suite's own: without them nothing could be read. */
static void keep_names(json_t *kept, const json_t *value)
{
	const char *name;
	json_t *member;
	size_t i;

	if (json_is_object(value))
		json_object_foreach((json_t *)value, name, member) {
			json_object_set_new(kept, name, json_true());
			keep_names(kept, member);
		}
	json_array_foreach(value, i, member)
		keep_names(kept, member);
}

static void add_word(struct hiding *hiding, const char *kind, const char *word)
{
	if (!*word)
		return;
	if (json_object_get(hiding->reserved, word))
		cannot("'%s' is a word of the suite as well, and is not hidden (it is here as %s)",
		       word, kind);
	else
		secrets_token(&hiding->secrets, kind, word);
}

/* Any number or word may have a short one, or digits alone, in it. */
static bool is_telling(const char *word)
{
	while (isdigit((unsigned char)*word) && word[1])
		word++;
	return !isdigit((unsigned char)*word);
}

static void add_part(struct hiding *hiding, const char *kind, const char *word)
{
	static const char *const kinds[] = { "serial", "host", "hidden" };

	for (size_t i = 0; i < COUNT(kinds); i++)
		if (!strcmp(kind, kinds[i]) && strlen(word) >= LEARNED_MIN &&
		    is_telling(word))
			secrets_anywhere(&hiding->secrets, word);
}

/* As the front end wrote it: "host vendor-lab-7". */
static bool add_line(struct hiding *hiding, const char *path, char *line)
{
	char *blank = strchr(line, ' ');

	line[strcspn(line, "\n")] = '\0';
	if (!blank || blank == line || !blank[1 + strspn(blank + 1, " \t")]) {
		cannot("%s: '%s' has no word to hide, KIND WORD is wanted",
		       path, line);
		return false;
	}
	*blank = '\0';
	add_word(hiding, line, blank + 1);
	add_part(hiding, line, blank + 1);
	return true;
}

static bool add_machine(struct hiding *hiding, const char *path)
{
	FILE *file = path ? fopen(path, "re") : NULL;
	char *line = NULL;
	size_t room = 0;
	bool good = true;

	if (path && !file) {
		cannot("cannot read the words to hide, %s", path);
		return false;
	}
	while (file && good && getline(&line, &room, file) > 0)
		good = add_line(hiding, path, line);
	if (file && ferror(file)) {
		cannot("cannot read the words to hide, %s", path);
		good = false;
	}
	free(line);
	if (file)
		fclose(file);
	return good;
}

static void add_devices(struct hiding *hiding, const json_t *environment)
{
	json_t *devices = json_object_get(json_object_get(environment,
							  "environment"),
					  "devices");
	json_t *device;
	size_t i;

	json_array_foreach(devices, i, device) {
		if (!strcmp(text_member(device, "class", ""), "infiniband"))
			add_word(hiding, "device",
				 text_member(device, "name", ""));
		add_word(hiding, "id", text_member(device, "id", ""));
	}
}

/* Whatever looks like a secret becomes one, and is replaced with the others. */
static void learn_line(struct hiding *hiding, const char *line)
{
	for (size_t i = 0; i < COUNT(patterns); i++) {
		regmatch_t parts[PARTS_MAX];
		const char *at = line;

		while (!regexec(&patterns[i].compiled, at, PARTS_MAX, parts,
				at == line ? 0 : REG_NOTBOL)) {
			regmatch_t *part = &parts[patterns[i].part];
			const char *value = memory_print("%.*s",
				(int)(part->rm_eo - part->rm_so),
				at + part->rm_so);

			if (strlen(value) >= LEARNED_MIN &&
			    !json_object_get(hiding->reserved, value))
				secrets_token(&hiding->secrets,
					      patterns[i].kind, value);
			at += parts[0].rm_eo + !parts[0].rm_eo;
		}
	}
}

/* A line of the kernel's or a program's may hold a NUL. */
static void learn_text(struct hiding *hiding, const char *text, size_t size)
{
	size_t at = 0;

	while (at < size) {
		const char *end = memchr(text + at, '\n', size - at);
		size_t length = strnlen(text + at, end ? end - text - at :
						   size - at);

		learn_line(hiding, memory_print("%.*s", (int)length, text + at));
		at += length + 1;
	}
}

static void learn_json(struct hiding *hiding, const char *name,
		       const json_t *value);

static void learn_member(struct hiding *hiding, const char *name,
			 const char *text)
{
	for (size_t i = 0; i < COUNT(members); i++)
		if (*text && !regexec(&members[i].compiled, name, 0, NULL, 0))
			add_word(hiding, members[i].kind, text);
	learn_text(hiding, text, strlen(text));
}

static void learn_json(struct hiding *hiding, const char *name,
		       const json_t *value)
{
	const char *key;
	json_t *member;
	size_t i;

	if (json_is_string(value))
		learn_member(hiding, name, json_string_value(value));
	else if (json_is_integer(value))
		for (i = 0; i < COUNT(members); i++)
			if (!regexec(&members[i].compiled, name, 0, NULL, 0))
				secrets_token(&hiding->secrets, members[i].kind,
					memory_print("%lld", (long long)
						json_integer_value(value)));
	if (json_is_object(value))
		json_object_foreach((json_t *)value, key, member)
			learn_json(hiding, key, member);
	json_array_foreach(value, i, member)
		learn_json(hiding, name, member);
}

static json_t *replaced_text(const struct hiding *hiding, const char *text)
{
	size_t size = strlen(text);
	char *new = secrets_replace(&hiding->secrets, text, &size);
	json_t *value = json_string(new ?: "");

	free(new);
	return value;
}

/* A number that is a secret becomes a word; others stay as they are. */
static json_t *replaced_number(const struct hiding *hiding, const char *name,
			       const json_t *value)
{
	for (size_t i = 0; i < COUNT(members); i++)
		if (!regexec(&members[i].compiled, name, 0, NULL, 0))
			return replaced_text(hiding, memory_print("%lld",
				(long long)json_integer_value(value)));
	return json_incref((json_t *)value);
}

static json_t *replaced(const struct hiding *hiding, const char *name,
			const json_t *value)
{
	const char *key;
	json_t *member, *copy;
	size_t i;

	if (json_is_string(value))
		return replaced_text(hiding, json_string_value(value));
	if (json_is_integer(value))
		return replaced_number(hiding, name, value);
	if (!json_is_object(value) && !json_is_array(value))
		return json_incref((json_t *)value);
	copy = json_is_object(value) ? json_object() : json_array();
	if (json_is_object(value))
		json_object_foreach((json_t *)value, key, member) {
			json_t *new = replaced_text(hiding, key);

			json_object_set_new(copy, json_string_value(new),
					    replaced(hiding, key, member));
			json_decref(new);
		}
	json_array_foreach(value, i, member)
		json_array_append_new(copy, replaced(hiding, name, member));
	return copy;
}

static void replace_json(const struct hiding *hiding, struct file *file)
{
	json_t *value = json_loadb(file->data, file->size, 0, NULL);
	json_t *new = replaced(hiding, "", value);

	free(file->data);
	file->data = json_dumps(new, JSON_INDENT(1));
	file->size = file->data ? strlen(file->data) : 0;
	json_decref(new);
	json_decref(value);
}

static void replace_file(const struct hiding *hiding, struct file *file)
{
	char *old = file->data;

	if (files_content(file->name) == CONTENT_JSON) {
		replace_json(hiding, file);
		return;
	}
	file->data = secrets_replace(&hiding->secrets, old, &file->size);
	free(old);
}

/* Returns false if a file that ought to be JSON is none: it could hide anything. */
static bool learn_file(struct hiding *hiding, const struct file *file)
{
	json_t *value;

	if (files_content(file->name) != CONTENT_JSON) {
		learn_text(hiding, file->data, file->size);
		return true;
	}
	value = json_loadb(file->data, file->size, 0, NULL);
	if (!value)
		cannot("%s is no JSON, so that nothing can be hidden in it",
		       file->name);
	else
		learn_json(hiding, "", value);
	json_decref(value);
	return value;
}

static bool check_hidden(const struct hiding *hiding, const struct files *files)
{
	for_list(const struct file *, file, &files->list) {
		const struct secret *secret = secrets_find(&hiding->secrets,
			file->data ?: "", file->data ? file->size : 0);

		if (!file->data || secret) {
			cannot("%s could not be hidden in %s: no bundle is made",
			       secret ? secret->token : "something", file->name);
			return false;
		}
	}
	return true;
}

static const struct file *find_part(const struct files *files,
				    const struct secret *secret)
{
	for_list(const struct file *, file, &files->list)
		if (secret_occurs(secret, file->data, file->size))
			return file;
	return NULL;
}

/* In words that stay: what somebody asked to hide must not be seen there. */
static bool check_parts(const struct hiding *hiding, const struct files *files)
{
	for_list(const struct secret *, secret, &hiding->secrets.list) {
		const struct file *file = secret->anywhere ?
					  find_part(files, secret) : NULL;
		bool asked = !strcmp(secret->kind, "hidden");

		if (file)
			cannot("'%s' is a part of a word of the suite in %s, and %s",
			       secret->value, file->name, asked ?
			       "cannot be hidden: no bundle is made" :
			       "is not hidden there");
		if (file && asked)
			return false;
	}
	return true;
}

static void drop_stream(struct files *files)
{
	struct list kept = { 0 };

	for_list(struct file *, file, &files->list) {
		if (files_content(file->name) == CONTENT_STREAM)
			free(file->data);
		else
			list_add(&kept, file);
	}
	files->list = kept;
}

bool hide_all(struct files *files, const json_t *run,
	      const json_t *environment, const char *words_path)
{
	struct hiding hiding = { .reserved = memory_hold(json_object()),
				 .kept = memory_hold(json_object()) };

	json_decref(hiding.reserved);
	json_decref(hiding.kept);
	for (size_t i = 0; i < COUNT(reserved); i++)
		reserve(hiding.reserved, reserved[i]);
	reserve_members(hiding.reserved, run);
	json_object_update(hiding.kept, hiding.reserved);
	keep_names(hiding.kept, run);
	keep_names(hiding.kept, environment);
	hiding.secrets.kept = hiding.kept;
	if (!compile(patterns, COUNT(patterns)) ||
	    !compile(members, COUNT(members)) ||
	    !add_machine(&hiding, words_path))
		return false;
	add_devices(&hiding, environment);
	drop_stream(files);
	for_list(struct file *, file, &files->list)
		if (!learn_file(&hiding, file))
			return false;
	for_list(struct file *, file, &files->list)
		replace_file(&hiding, file);
	return check_hidden(&hiding, files) && check_parts(&hiding, files);
}

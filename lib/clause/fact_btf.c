// SPDX-License-Identifier: GPL-2.0-only
/*
 * Facts from the kernel's type information. It is read here and not by libbpf:
 * looking through it once for a few names takes 25 ms on an emulated CPU
 * instead of 200 ms, and test programs start 15 ms sooner without that library.
 */

#include "clause/btf_file.h"
#include "clause/fact.h"

#include <limits.h>
#include <linux/btf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define BTF_FOLDER	"/sys/kernel/btf"
#define FACTS_MAX	64

/* Of what is often a module; they build on the kernel's own. */
static const char *const modules[] = { "ib_core", "ib_uverbs" };

/* What follows a struct btf_type: so many bytes, and so many for each part. */
static const struct {
	bool known;
	unsigned char fixed;
	unsigned char each;
} kinds[NR_BTF_KINDS] = {
	[BTF_KIND_INT] = { true, sizeof(__u32), 0 },
	[BTF_KIND_PTR] = { true, 0, 0 },
	[BTF_KIND_ARRAY] = { true, sizeof(struct btf_array), 0 },
	[BTF_KIND_STRUCT] = { true, 0, sizeof(struct btf_member) },
	[BTF_KIND_UNION] = { true, 0, sizeof(struct btf_member) },
	[BTF_KIND_ENUM] = { true, 0, sizeof(struct btf_enum) },
	[BTF_KIND_FWD] = { true, 0, 0 },
	[BTF_KIND_TYPEDEF] = { true, 0, 0 },
	[BTF_KIND_VOLATILE] = { true, 0, 0 },
	[BTF_KIND_CONST] = { true, 0, 0 },
	[BTF_KIND_RESTRICT] = { true, 0, 0 },
	[BTF_KIND_FUNC] = { true, 0, 0 },
	[BTF_KIND_FUNC_PROTO] = { true, 0, sizeof(struct btf_param) },
	[BTF_KIND_VAR] = { true, sizeof(struct btf_var), 0 },
	[BTF_KIND_DATASEC] = { true, 0, sizeof(struct btf_var_secinfo) },
	[BTF_KIND_FLOAT] = { true, 0, 0 },
	[BTF_KIND_DECL_TAG] = { true, sizeof(struct btf_decl_tag), 0 },
	[BTF_KIND_TYPE_TAG] = { true, 0, 0 },
	[BTF_KIND_ENUM64] = { true, 0, sizeof(struct btf_enum64) },
};

/*
 * The two sections of the file: types in a row, and the names of all. Those of
 * a module go on where the kernel's own end.
 */
struct sections {
	const struct sections *base;
	const char *types;
	const char *types_end;
	const char *names;
	size_t names_size;
};

/* Newer headers have more in them, of which nothing is needed. */
#define HEADER_SIZE_MIN \
	(offsetof(struct btf_header, str_len) + sizeof(__u32))

/* Places and sizes in the file are checked here and by next_type(). */
static bool find_sections(const char *data, size_t size,
			  struct sections *sections)
{
	const struct btf_header *header = (const void *)data;
	size_t rest;

	if (size < HEADER_SIZE_MIN || header->magic != BTF_MAGIC ||
	    header->hdr_len < HEADER_SIZE_MIN || header->hdr_len > size)
		return false;
	rest = size - header->hdr_len;
	if ((size_t)header->type_off + header->type_len > rest ||
	    (size_t)header->str_off + header->str_len > rest ||
	    header->type_off % _Alignof(struct btf_type) || !header->str_len)
		return false;
	sections->types = data + header->hdr_len + header->type_off;
	sections->types_end = sections->types + header->type_len;
	sections->names = data + header->hdr_len + header->str_off;
	sections->names_size = header->str_len;
	return !sections->names[sections->names_size - 1];
}

/* Returns the type at *@place and moves on; NULL at the end, or if unknown. */
static const struct btf_type *next_type(const struct sections *sections,
					const char **place)
{
	const struct btf_type *type = (const void *)*place;
	size_t rest = sections->types_end - *place;
	unsigned int kind;
	size_t size;

	if (rest < sizeof(*type))
		return NULL;
	kind = BTF_INFO_KIND(type->info);
	if (kind >= NR_BTF_KINDS || !kinds[kind].known)
		return NULL;
	size = sizeof(*type) + kinds[kind].fixed +
	       (size_t)kinds[kind].each * BTF_INFO_VLEN(type->info);
	if (rest < size)
		return NULL;
	*place += size;
	return type;
}

static const char *name_at(const struct sections *sections, __u32 offset)
{
	if (sections->base && offset < sections->base->names_size)
		return sections->base->names + offset;
	if (sections->base)
		offset -= sections->base->names_size;
	return offset < sections->names_size ? sections->names + offset : "";
}

static bool has_member(const struct sections *sections,
		       const struct btf_type *type, const char *member)
{
	const struct btf_member *members = (const void *)(type + 1);

	for (unsigned int i = 0; i < BTF_INFO_VLEN(type->info); i++)
		if (!strcmp(name_at(sections, members[i].name_off), member))
			return true;
	return false;
}

/* The first letter spares an emulated CPU most calls. */
static bool same(const char *a, const char *b)
{
	return a[0] == b[0] && !strcmp(a, b);
}

static void look_at_struct(const struct sections *sections,
			   const struct btf_type *type, struct fact *facts,
			   size_t count)
{
	const char *name = name_at(sections, type->name_off);

	for (size_t i = 0; i < count; i++) {
		struct fact *fact = &facts[i];

		if (fact->state || fact->kind != FACT_MEMBER ||
		    !same(fact->name, name))
			continue;
		fact_settle(fact, has_member(sections, type, fact->member) ?
			    PRESENT : ABSENT, "btf");
	}
}

/* @beside gets a mark for each fact beside which the function stands. */
static void look_at_function(const struct sections *sections,
			     const struct btf_type *type, struct fact *facts,
			     bool *beside, size_t count)
{
	const char *name = name_at(sections, type->name_off);

	for (size_t i = 0; i < count; i++) {
		if (facts[i].state || facts[i].kind != FACT_FUNCTION)
			continue;
		if (same(facts[i].beside, name))
			beside[i] = true;
		if (same(facts[i].name, name))
			fact_settle(&facts[i], PRESENT, "btf");
	}
}

/* Where its neighbour is listed, a function that is not does not exist. */
static void settle_missing_functions(struct fact *facts, const bool *beside,
				     size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!facts[i].state && beside[i])
			fact_settle(&facts[i], ABSENT, "btf");
}

static void look_at_types(const struct sections *sections, struct fact *facts,
			  size_t count)
{
	bool beside[FACTS_MAX] = { false };
	const char *place = sections->types;
	const struct btf_type *type;

	while ((type = next_type(sections, &place))) {
		unsigned int kind = BTF_INFO_KIND(type->info);

		if (kind == BTF_KIND_STRUCT)
			look_at_struct(sections, type, facts, count);
		else if (kind == BTF_KIND_FUNC)
			look_at_function(sections, type, facts, beside, count);
	}
	if (place == sections->types_end)
		settle_missing_functions(facts, beside, count);
}

static char *read_whole(const char *path, size_t *size)
{
	FILE *file = fopen(path, "re");
	struct stat status;
	char *data = NULL;

	if (!file)
		return NULL;
	if (!fstat(fileno(file), &status))
		data = malloc(status.st_size + 1);
	if (data)
		*size = fread(data, 1, status.st_size, file);
	fclose(file);
	return data;
}

/* Returns what must be kept as long as @sections is used, or NULL. */
static char *open_sections(const char *path, struct sections *sections)
{
	size_t size;
	char *data = read_whole(path, &size);

	if (data && find_sections(data, size, sections))
		return data;
	free(data);
	return NULL;
}

static void read_modules(const char *root, const struct sections *kernel,
			 struct fact *facts, size_t count)
{
	for (size_t i = 0; i < sizeof(modules) / sizeof(modules[0]); i++) {
		struct sections module = { .base = kernel };
		char path[PATH_MAX];
		char *data;

		snprintf(path, sizeof(path), "%s%s/%s", root, BTF_FOLDER,
			 modules[i]);
		data = open_sections(path, &module);
		if (data)
			look_at_types(&module, facts, count);
		free(data);
	}
}

static bool is_own(const char *path)
{
	size_t length = strlen(path), end = strlen(BTF_FILE_OWN);

	return length >= end && !strcmp(path + length - end, BTF_FILE_OWN);
}

void facts_read_btf(const char *root, const char *release, struct fact *facts,
		    size_t count)
{
	struct sections kernel = { 0 };
	char path[PATH_MAX];
	char *data;

	if (count > FACTS_MAX ||
	    !btf_file_find(root, release, path, sizeof(path)))
		return;
	data = open_sections(path, &kernel);
	if (!data)
		return;
	look_at_types(&kernel, facts, count);
	if (is_own(path))
		read_modules(root, &kernel, facts, count);
	free(data);
}

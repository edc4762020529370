// SPDX-License-Identifier: GPL-2.0-only
#include "monitor/types.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "clause/btf_file.h"
#include "monitor/hook.h"
#include "monitor/symbols.h"
#include "pair/kernel.h"

#define CORE_FUNCTION	"dma_buf_map_attachment"

/* What names of functions begin with that programs are for. */
static const char *const prefixes[] = { "dma_buf_", "ww_mutex_unlock" };

#define PREFIXES	(sizeof(prefixes) / sizeof(prefixes[0]))

bool types_have_owner(const struct types *types)
{
	const struct btf *btf = types->btf;
	int id = btf__find_by_name_kind(btf, "mutex", BTF_KIND_STRUCT);
	const struct btf_type *type = id > 0 ? btf__type_by_id(btf, id) : NULL;
	const struct btf_member *member = type ? btf_members(type) : NULL;

	for (int i = 0; type && i < btf_vlen(type); i++)
		if (!strcmp(btf__name_by_offset(btf, member[i].name_off),
			    "owner"))
			return true;
	return false;
}

static bool is_prefixed(const char *name)
{
	for (size_t i = 0; i < PREFIXES; i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

/* One look at all types. */
static void find_functions(struct types *types)
{
	for (__u32 id = 1; id < btf__type_cnt(types->btf); id++) {
		const struct btf_type *type = btf__type_by_id(types->btf, id);
		const char *name;

		if (!btf_is_func(type) || types->count == TYPES_FUNCTIONS_MAX)
			continue;
		types->sessions |= hook_has_sessions(types->btf, id);
		name = btf__name_by_offset(types->btf, type->name_off);
		if (is_prefixed(name))
			types->functions[types->count++] = name;
	}
}

/* A file may have the types alone, and kprobes need no more. */
static void list_functions(struct types *types)
{
	for (size_t i = 0; i < PREFIXES; i++)
		types->count += symbol_functions(prefixes[i],
			types->functions + types->count,
			TYPES_FUNCTIONS_MAX - types->count);
}

bool types_has_function(const struct types *types, const char *name)
{
	for (size_t i = 0; i < types->count; i++)
		if (!strcmp(types->functions[i], name))
			return true;
	return false;
}

/* Which of two names a function has is for the kernel to say. */
bool types_has_other_name(const struct types *types, const char *name)
{
	static const char *const names[] = {
		"dma_buf_move_notify", "dma_buf_invalidate_mappings",
	};

	for (int i = 0; i < 2; i++)
		if (!strcmp(name, names[i]))
			return types_has_function(types, names[!i]);
	return false;
}

static int explain(char *problem, size_t size)
{
	snprintf(problem, size, "this kernel does not describe its types: it is "
		 "built without CONFIG_DEBUG_INFO_BTF. Write them with 'pahole "
		 "--btf_encode_detached FILE vmlinux', from the vmlinux with "
		 "debug information that is of this kernel, and give --btf FILE, "
		 "or have it as " BTF_FILE_INSTALLED, kernel_release());
	return -1;
}

static bool has_dma_buf(const struct types *types, char *problem, size_t size)
{
	if (types_has_function(types, CORE_FUNCTION))
		return true;
	snprintf(problem, size, "this kernel has no dma-buf: there is no %s()",
		 CORE_FUNCTION);
	return false;
}

static int read_file(struct types *types, char *problem, size_t size)
{
	types->btf = btf__parse_raw(types->file);
	if (!types->btf) {
		snprintf(problem, size, "there are no types of a kernel in %s: "
			 "%s; 'pahole --btf_encode_detached FILE vmlinux' writes "
			 "them", types->file, strerror(errno));
		return -1;
	}
	list_functions(types);
	if (btf__find_by_name_kind(types->btf, "dma_buf_attachment",
				   BTF_KIND_STRUCT) > 0)
		return 0;
	snprintf(problem, size, "there is no struct dma_buf_attachment among the "
		 "types in %s: they are not those of a whole kernel", types->file);
	return -1;
}

static int read_own(struct types *types, char *problem, size_t size)
{
	types->btf = btf__parse_raw(BTF_FILE_OWN);
	if (!types->btf)
		return explain(problem, size);
	find_functions(types);
	return 0;
}

/* What the kernel says itself it also takes programs by. */
static void find_file(struct types *types, const char *file)
{
	bool found = file || btf_file_find("", kernel_release(), types->path,
					   sizeof(types->path));

	if (file)
		snprintf(types->path, sizeof(types->path), "%s", file);
	if (file || (found && strcmp(types->path, BTF_FILE_OWN)))
		types->file = types->path;
}

int types_open(struct types *types, const char *file, char *problem, size_t size)
{
	int error;

	memset(types, 0, sizeof(*types));
	find_file(types, file);
	error = types->file ? read_file(types, problem, size) :
		read_own(types, problem, size);
	if (!error && has_dma_buf(types, problem, size))
		return 0;
	types_close(types);
	return -1;
}

void types_close(struct types *types)
{
	btf__free(types->btf);
	types->btf = NULL;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Facts from the kernel's type information. All types are looked at once, and
 * no longer than until everything was found: there are more than 100 000, and
 * an emulated CPU is slow.
 */

#include "clause/fact.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define BTF_PATH	"/sys/kernel/btf/vmlinux"

/* In every kernel: if it is missing, functions are not listed here. */
#define WELL_KNOWN_FUNCTION	"dma_buf_map_attachment"

static bool has_member(const struct btf *btf, const struct btf_type *type,
		       const char *member)
{
	const struct btf_member *members = btf_members(type);

	for (int i = 0; i < btf_vlen(type); i++)
		if (!strcmp(btf__name_by_offset(btf, members[i].name_off),
			    member))
			return true;
	return false;
}

/* Settles each open fact about this type; returns how many there were. */
static size_t look_at_type(const struct btf *btf, const struct btf_type *type,
			   const char *name, struct fact *facts, size_t count)
{
	enum fact_kind kind = btf_is_func(type) ? FACT_FUNCTION : FACT_MEMBER;
	size_t settled = 0;

	for (size_t i = 0; i < count; i++) {
		struct fact *fact = &facts[i];

		if (fact->state || fact->kind != kind ||
		    strcmp(fact->name, name))
			continue;
		fact_settle(fact, kind == FACT_FUNCTION ||
			    has_member(btf, type, fact->member) ?
			    PRESENT : ABSENT, "btf");
		settled++;
	}
	return settled;
}

static size_t count_open(const struct fact *facts, size_t count)
{
	size_t open = 0;

	for (size_t i = 0; i < count; i++)
		open += !facts[i].state && facts[i].kind != FACT_OPTION;
	return open;
}

/* Where the dma-buf functions are listed, one that is not does not exist. */
static void settle_missing_functions(struct fact *facts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!facts[i].state && facts[i].kind == FACT_FUNCTION)
			fact_settle(&facts[i], ABSENT, "btf");
}

static void look_at_types(const struct btf *btf, struct fact *facts,
			  size_t count)
{
	size_t open = count_open(facts, count);
	bool lists_functions = false;

	for (__u32 id = 1; open && id < btf__type_cnt(btf); id++) {
		const struct btf_type *type = btf__type_by_id(btf, id);
		const char *name;

		if (!btf_is_func(type) && !btf_is_struct(type))
			continue;
		name = btf__name_by_offset(btf, type->name_off);
		if (btf_is_func(type) && !strcmp(name, WELL_KNOWN_FUNCTION))
			lists_functions = true;
		open -= look_at_type(btf, type, name, facts, count);
	}
	if (lists_functions)
		settle_missing_functions(facts, count);
}

static int silent(enum libbpf_print_level level, const char *format,
		  va_list arguments)
{
	(void)level;
	(void)format;
	(void)arguments;
	return 0;
}

void facts_read_btf(const char *root, struct fact *facts, size_t count)
{
	char path[PATH_MAX];
	struct btf *btf;

	snprintf(path, sizeof(path), "%s%s", root, BTF_PATH);
	libbpf_set_print(silent);
	btf = btf__parse_raw(path);
	if (!btf)
		return;
	look_at_types(btf, facts, count);
	btf__free(btf);
}

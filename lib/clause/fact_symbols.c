// SPDX-License-Identifier: GPL-2.0-only
/*
 * Facts about functions from the kernel's symbol table, for a kernel without
 * type information.
 */

#include "clause/fact.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SYMBOLS_PATH	"/proc/kallsyms"
#define FUNCTIONS_MAX	32

/* What is looked for, and whether what stands beside each was listed. */
struct search {
	struct fact *facts[FUNCTIONS_MAX];
	bool readable[FUNCTIONS_MAX];
	size_t count;
};

/* The table is long: it is not read for a module that is not loaded. */
static bool can_be_listed(const char *root, const struct fact *fact)
{
	char path[PATH_MAX];

	if (fact->state || fact->kind != FACT_FUNCTION)
		return false;
	if (!fact->module)
		return true;
	snprintf(path, sizeof(path), "%s/sys/module/%s", root, fact->module);
	return !access(path, F_OK);
}

static void begin(struct search *search, const char *root, struct fact *facts,
		  size_t count)
{
	memset(search, 0, sizeof(*search));
	for (size_t i = 0; i < count && search->count < FUNCTIONS_MAX; i++)
		if (can_be_listed(root, &facts[i]))
			search->facts[search->count++] = &facts[i];
}

static void look_at_symbol(const char *name, struct search *search)
{
	for (size_t i = 0; i < search->count; i++) {
		struct fact *fact = search->facts[i];

		if (!strcmp(fact->beside, name))
			search->readable[i] = true;
		if (!fact->state && !strcmp(fact->name, name))
			fact_settle(fact, PRESENT, "kallsyms");
	}
}

/* Of a table that is kept from us, or of a module that is not loaded, nothing. */
static void settle_missing(struct search *search)
{
	for (size_t i = 0; i < search->count; i++)
		if (search->readable[i] && !search->facts[i]->state)
			fact_settle(search->facts[i], ABSENT, "kallsyms");
}

/*
 * The name in "ffffffff81000000 T name" or "... name\t[module]". By hand, since
 * there are hundreds of thousands of lines.
 */
static const char *name_in(char *line)
{
	char *name = strchr(line, ' ');

	name = name ? strchr(name + 1, ' ') : NULL;
	if (!name)
		return "";
	name[1 + strcspn(name + 1, "\t\n")] = '\0';
	return name + 1;
}

static void look_at_symbols(FILE *file, struct search *search)
{
	char *line = NULL;
	size_t size = 0;

	while (getline(&line, &size, file) > 0)
		look_at_symbol(name_in(line), search);
	free(line);
}

void facts_read_symbols(const char *root, struct fact *facts, size_t count)
{
	struct search search;
	char path[PATH_MAX];
	FILE *file;

	begin(&search, root, facts, count);
	if (!search.count)
		return;
	snprintf(path, sizeof(path), "%s%s", root, SYMBOLS_PATH);
	file = fopen(path, "re");
	if (!file)
		return;
	look_at_symbols(file, &search);
	settle_missing(&search);
	fclose(file);
}

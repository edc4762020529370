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

#define SYMBOLS_PATH	"/proc/kallsyms"

/* In every kernel: if it is missing, the table is kept from us. */
#define WELL_KNOWN_FUNCTION	"dma_buf_map_attachment"

static struct fact *next_open(struct fact *facts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!facts[i].state && facts[i].kind == FACT_FUNCTION)
			return &facts[i];
	return NULL;
}

static void look_at_symbol(const char *name, struct fact *facts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!facts[i].state && facts[i].kind == FACT_FUNCTION &&
		    !strcmp(facts[i].name, name))
			fact_settle(&facts[i], PRESENT, "kallsyms");
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

static void look_at_symbols(FILE *file, struct fact *facts, size_t count)
{
	bool readable = false;
	char *line = NULL;
	size_t size = 0;
	struct fact *fact;

	while (getline(&line, &size, file) > 0) {
		const char *name = name_in(line);

		if (!strcmp(name, WELL_KNOWN_FUNCTION))
			readable = true;
		look_at_symbol(name, facts, count);
	}
	free(line);
	while (readable && (fact = next_open(facts, count)))
		fact_settle(fact, ABSENT, "kallsyms");
}

void facts_read_symbols(const char *root, struct fact *facts, size_t count)
{
	char path[PATH_MAX];
	FILE *file;

	if (!next_open(facts, count))
		return;
	snprintf(path, sizeof(path), "%s%s", root, SYMBOLS_PATH);
	file = fopen(path, "re");
	if (!file)
		return;
	look_at_symbols(file, facts, count);
	fclose(file);
}

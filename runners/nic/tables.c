// SPDX-License-Identifier: GPL-2.0-only
#include "nic/tables.h"

#include <stddef.h>
#include <stdio.h>

struct line {
	const char *name;
	const char *what;
};

static const struct line counters[] = {
#define COUNTER(name, what) { #name, what },
#include "nic/counters.def"
#undef COUNTER
};

static const struct line controls[] = {
#define CONTROL(name, initial, what) { #name, what },
#include "nic/controls.def"
#undef CONTROL
};

static const struct line faults[] = {
	{ "none", "no fault" },
#define FAULT(name, clauses, effect) { #name, effect },
#include "nic/faults.def"
#undef FAULT
};

#define PRINT(table, title) print(table, sizeof(table) / sizeof(table[0]), title)

static void print(const struct line *lines, size_t count, const char *title)
{
	for (size_t i = 0; i < count; i++)
		printf("%s %zu %s: %s\n", title, i, lines[i].name, lines[i].what);
}

void tables_print(void)
{
	PRINT(counters, "counter");
	PRINT(controls, "control");
	PRINT(faults, "fault");
}

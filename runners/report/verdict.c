// SPDX-License-Identifier: GPL-2.0-only
#include "report/verdict.h"

#include <stddef.h>
#include <string.h>

enum ktap { KTAP_OK, KTAP_SKIP, KTAP_NOT_OK };

static const struct {
	const char *name;
	enum ktap ktap;
} table[VERDICT_COUNT] = {
	[VERDICT_NONE] = { "none", KTAP_NOT_OK },
	[VERDICT_SKIP] = { "skip", KTAP_SKIP },
	[VERDICT_PASS] = { "pass", KTAP_OK },
	[VERDICT_VALUE] = { "value", KTAP_OK },
	[VERDICT_REFUSED] = { "refused", KTAP_SKIP },
	[VERDICT_WARN] = { "warn", KTAP_OK },
	[VERDICT_ERROR] = { "error", KTAP_NOT_OK },
	[VERDICT_TIMEOUT] = { "timeout", KTAP_NOT_OK },
	[VERDICT_CRASH] = { "crash", KTAP_NOT_OK },
	[VERDICT_FAIL] = { "fail", KTAP_NOT_OK },
};

const char *verdict_name(enum verdict verdict)
{
	return table[verdict].name;
}

enum verdict verdict_find(const char *name)
{
	for (int i = 1; name && i < VERDICT_COUNT; i++)
		if (!strcmp(table[i].name, name))
			return i;
	return VERDICT_NONE;
}

bool verdict_is_bad(enum verdict verdict)
{
	return table[verdict].ktap == KTAP_NOT_OK;
}

bool verdict_is_skip(enum verdict verdict)
{
	return table[verdict].ktap == KTAP_SKIP;
}

enum verdict verdict_worse(enum verdict one, enum verdict other)
{
	return one > other ? one : other;
}

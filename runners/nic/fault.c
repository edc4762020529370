// SPDX-License-Identifier: GPL-2.0-only
#include "nic/fault.h"

#include <string.h>

static const char *const names[] = {
	"none",
#define FAULT(name, clauses, effect) #name,
#include "nic/faults.def"
#undef FAULT
};

static enum fault now;

enum fault fault_now(void)
{
	return now;
}

bool fault_set(unsigned int fault)
{
	if (fault >= FAULTS)
		return false;
	now = fault;
	return true;
}

enum fault fault_by_name(const char *name)
{
	enum fault fault = FAULT_none;

	while (fault < FAULTS && strcmp(names[fault], name))
		fault++;
	return fault;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "monitor/findings.h"

#include "monitor/name.h"
#include "monitor/symbols.h"

static const char *const functions[] = {
#define FUNCTION(id, name) [WATCH_FN_##id] = name,
#include "monitor/functions.def"
#undef FUNCTION
};

void findings_add(struct findings *findings, const struct watch_event *event)
{
	struct watch_event clean = *event;

	name_clean(clean.comm);
	for (int check = 0; check < WATCH_COUNT; check++) {
		unsigned int *count = &findings->counts[check];

		if (event->broken & 1ULL << check && *count < FINDINGS_EACH)
			findings->events[check][(*count)++] = clean;
	}
}

const char *findings_function(unsigned int function)
{
	return function < WATCH_FN_COUNT ? functions[function] : "?";
}

bool findings_chain(const struct watch_event *event, unsigned int index,
		    char *name)
{
	int depth = event->stack_bytes / (int)sizeof(event->stack[0]);

	for (int i = 0; i < depth && i < WATCH_STACK; i++) {
		if (!symbol_is_frame(event->stack[i]) || index--)
			continue;
		symbol_name(event->stack[i], name, SYMBOL_SIZE);
		return true;
	}
	return false;
}

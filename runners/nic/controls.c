// SPDX-License-Identifier: GPL-2.0-only
#include "nic/controls.h"

#include <stddef.h>
#include <string.h>

const struct controls controls_initial = {
#define CONTROL(name, initial, what) .name = initial,
#include "nic/controls.def"
#undef CONTROL
};

static const struct {
	const char *name;
	size_t at;
} members[] = {
#define CONTROL(name, initial, what) { #name, offsetof(struct controls, name) },
#include "nic/controls.def"
#undef CONTROL
};

bool controls_set(struct controls *controls, const char *name, uint32_t value)
{
	for (size_t i = 0; i < CONTROLS; i++) {
		if (strcmp(members[i].name, name))
			continue;
		memcpy((char *)controls + members[i].at, &value, sizeof(value));
		return true;
	}
	return false;
}

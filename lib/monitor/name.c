// SPDX-License-Identifier: GPL-2.0-only
#include "monitor/name.h"

#include <jansson.h>
#include <stdbool.h>

void name_clean(char *name)
{
	json_t *text = json_string(name);
	bool utf8 = text;

	json_decref(text);
	for (; *name; name++) {
		unsigned char byte = *name;

		if (byte < ' ' || byte == 0x7f || (byte > 0x7f && !utf8))
			*name = '?';
	}
}

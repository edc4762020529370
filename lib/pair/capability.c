// SPDX-License-Identifier: GPL-2.0-only
/* Names of capabilities, and the sentence that says which ones a pair lacks. */
#include "pair/capability.h"

#include <stdarg.h>
#include <stdio.h>

static const char *const labels[CAPABILITY_COUNT] = {
#define CAPABILITY(id, name, text) [id] = name,
#include "pair/capability.def"
#undef CAPABILITY
};

static const char *role(enum capability id)
{
	return id < IMPORTER_PEER ? "exporter" : "importer";
}

const char *capability_label(enum capability id)
{
	return id < CAPABILITY_COUNT ? labels[id] : "unknown";
}

const char *capability_name(enum capability id)
{
	static char names[CAPABILITY_COUNT][32];

	if (id >= CAPABILITY_COUNT)
		return "unknown";
	snprintf(names[id], sizeof(names[id]), "%s %s", role(id), labels[id]);
	return names[id];
}

/* Appends to @text as far as there is room; returns the new end. */
static size_t append(char *text, size_t size, size_t end, const char *format, ...)
{
	va_list arguments;
	int length;

	if (end >= size)
		return end;
	va_start(arguments, format);
	length = vsnprintf(text + end, size - end, format, arguments);
	va_end(arguments);
	return end + length;
}

int capability_missing(capability_set needed, capability_set has,
		       char *text, size_t size)
{
	capability_set missing = needed & ~has;
	size_t end = 0;
	int count = 0;

	if (size)
		text[0] = '\0';
	for (int id = 0; id < CAPABILITY_COUNT; id++) {
		if (!(missing & CAP(id)))
			continue;
		end = append(text, size, end, "%s%s", count ? ", " : "needs ",
			     capability_name(id));
		count++;
	}
	return count;
}

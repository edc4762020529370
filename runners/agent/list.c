// SPDX-License-Identifier: GPL-2.0-only
#include "agent/list.h"

#include <stdio.h>

#include "stream/text.h"

static void print_words(const char *label, const json_t *words)
{
	json_t *word;
	size_t i;

	json_array_foreach(words, i, word)
		printf("%s%s", i ? ", " : label, json_string_value(word));
	if (json_array_size(words))
		putchar('\n');
}

static void print_reasons(const json_t *reasons)
{
	json_t *reason;
	size_t i;

	json_array_foreach(reasons, i, reason)
		printf("      - %s\n", json_string_value(reason));
}

static void print_backend(const json_t *backend)
{
	const char *note = text_member(backend, "note", "");
	bool available = json_is_true(json_object_get(backend, "available"));

	printf("  %-24s %-9s", text_member(backend, "selector", "?"),
	       available ? "available" : "absent");
	if (available)
		printf("  %-9s %s %s", text_member(backend, "evidence", ""),
		       text_member(backend, "driver", ""),
		       text_member(backend, "version", ""));
	putchar('\n');
	if (available)
		print_words("      can: ",
			    json_object_get(backend, "capabilities"));
	else
		print_reasons(json_object_get(backend, "reasons"));
	if (*note)
		printf("      note: %s\n", note);
}

static void print_role(const char *title, const json_t *backends)
{
	json_t *backend;
	size_t i;

	printf("%s\n", title);
	json_array_foreach(backends, i, backend)
		print_backend(backend);
	if (!json_array_size(backends))
		printf("  none\n");
}

void list_print(const struct probe *probe)
{
	print_role("Exporters", probe->exporters);
	print_role("Importers", probe->importers);
}

// SPDX-License-Identifier: GPL-2.0-only
/* cts-bundle: packs a run for others, and checks what others packed. */
#include <string.h>

#include "bundle/hide.h"
#include "bundle/options.h"
#include "bundle/pack.h"
#include "bundle/verify.h"
#include "report/memory.h"

static int print_hidden(const struct options *options)
{
	(void)options;
	hide_list();
	return 0;
}

static const struct {
	const char *name;
	int (*run)(const struct options *options);
} verbs[] = {
	{ "pack", pack },
	{ "verify", verify },
	{ "template", print_template },
	{ "hidden", print_hidden },
};

int main(int argc, char **argv)
{
	struct options options;
	int status = options_parse(&options, argc, argv);

	for (size_t i = 0; status < 0 && i < sizeof(verbs) / sizeof(*verbs); i++)
		if (!strcmp(verbs[i].name, options.verb))
			status = verbs[i].run(&options);
	memory_release();
	return status;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * cts-report: makes results of the stream of a run that goes on, and reads
 * those of earlier runs.
 */
#include <stddef.h>
#include <string.h>

#include "report/diff.h"
#include "report/expect.h"
#include "report/live.h"
#include "report/render.h"
#include "report/table.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} verbs[] = {
	{ "diff", diff_main },
	{ "expect", expect_main },
	{ "render", render_main },
	{ "table", table_main },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(verbs) / sizeof(*verbs); i++)
		if (!strcmp(argv[1], verbs[i].name))
			return verbs[i].run(argc - 1, argv + 1);
	return live_main(argc, argv);
}

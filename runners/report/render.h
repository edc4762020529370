/* SPDX-License-Identifier: GPL-2.0-only */
/* Reports in the formats of others, all of them from run.json alone. */
#ifndef CTS_REPORT_RENDER_H
#define CTS_REPORT_RENDER_H

#include <stdbool.h>

#include "report/load.h"

struct render_options {
	const char *format;
	const char *origin;	/* the CI system, for KCIDB; or NULL */
	const char *build;	/* the build that was tested, for KCIDB; or NULL */
};

/* Each writes to standard output. False after a message on stderr. */
bool render_junit(struct loaded *loaded, const struct render_options *options);
bool render_kcidb(struct loaded *loaded, const struct render_options *options);
bool render_markdown(struct loaded *loaded,
		     const struct render_options *options);

/* Return: the exit status. */
int render_main(int argc, char **argv);

#endif

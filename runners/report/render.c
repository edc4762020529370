// SPDX-License-Identifier: GPL-2.0-only
#include "report/render.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "report/expected.h"
#include "report/ktap.h"
#include "report/options.h"
#include "report/summary.h"
#include "stream/command_line.h"

static const char help[] =
"Usage: cts-report render [OPTION]... RUN\n"
"Write the results of a run, a result folder or a run.json, on standard output.\n"
"\n"
"  --format FORMAT   text (default), markdown, ktap, tap, junit or kcidb\n"
"  --origin NAME     kcidb: the CI system that submits\n"
"  --build ID        kcidb: the build that was tested, which is then not described\n"
"  --help            show this text\n"
"\n"
"Exit status: 0 written; 2 usage; 125 the run cannot be read, or not be written\n"
"in this format. What the run found makes no difference.\n";

static bool render_text(struct loaded *loaded,
			const struct render_options *options)
{
	struct expected expected = { .missing = loaded->missing };

	(void)options;
	summary_print(&loaded->run, &expected, NULL);
	return true;
}

static void write_ktap(struct loaded *loaded, struct folder *folder)
{
	struct ktap ktap = { .folder = folder };

	for_list(const char *, note, &loaded->run.notes)
		ktap_comment(&ktap, note);
	ktap_advance(&ktap, &loaded->run);
	ktap_finish(&ktap);
}

static bool render_ktap(struct loaded *loaded,
			const struct render_options *options)
{
	struct folder folder = { .tap.fd = -1 };

	(void)options;
	outfile_use_stdout(&folder.ktap);
	write_ktap(loaded, &folder);
	return !outfile_failed();
}

static bool render_tap(struct loaded *loaded,
		       const struct render_options *options)
{
	struct folder folder = { .ktap.fd = -1 };

	(void)options;
	outfile_use_stdout(&folder.tap);
	write_ktap(loaded, &folder);
	return !outfile_failed();
}

struct format {
	const char *name;
	bool (*render)(struct loaded *loaded,
		       const struct render_options *options);
	bool wants_origin;
};

static const struct format formats[] = {
	{ "text", render_text, false },
	{ "markdown", render_markdown, false },
	{ "ktap", render_ktap, false },
	{ "tap", render_tap, false },
	{ "junit", render_junit, false },
	{ "kcidb", render_kcidb, true },
};

static const struct format *find_format(const char *name)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}

static const struct command_line line;

/* What KCIDB takes for the name of a CI system. */
static size_t origin_length(const char *text)
{
	return strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_");
}

static int check(const struct format *format,
		 const struct render_options *options)
{
	const char *origin = options->origin, *build = options->build;

	if (!format)
		return command_line_refuse(&line, "there is no such format");
	if (format->wants_origin && !origin)
		return command_line_refuse(&line, "this format wants the --origin, the name "
				   "of your CI system as agreed with KernelCI");
	if (!format->wants_origin && (origin || build))
		return command_line_refuse(&line, "this format has no --origin and no --build");
	if (origin && (!*origin || origin[origin_length(origin)]))
		return command_line_refuse(&line, "--origin may hold a-z, 0-9 and _");
	if (build && (!origin_length(build) ||
		      build[origin_length(build)] != ':'))
		return command_line_refuse(&line, "--build begins with an origin and a colon");
	return -1;
}

static const struct command_option table[] = {
	COMMAND_TEXT("format", struct render_options, format),
	COMMAND_TEXT("origin", struct render_options, origin),
	COMMAND_TEXT("build", struct render_options, build),
	{ .name = NULL },
};

static const struct command_line line = { "cts-report render", help, table, false };

static int parse(const struct format **format, struct render_options *options,
		 int argc, char **argv)
{
	int status = command_line_parse(&line, options, argc, argv);

	if (status >= 0)
		return status;
	if (argc - optind != 1)
		return command_line_refuse(&line, "wants one run");
	*format = find_format(options->format);
	return check(*format, options);
}

int render_main(int argc, char **argv)
{
	struct render_options options = { .format = "text" };
	const struct format *format = NULL;
	struct loaded loaded = { 0 };
	int status = parse(&format, &options, argc, argv);
	bool good;

	if (status >= 0)
		return status;
	good = load_run(&loaded, argv[optind]) &&
	       format->render(&loaded, &options);
	load_release(&loaded);
	if (good && (fflush(stdout) || ferror(stdout))) {
		fprintf(stderr, "cts-report: cannot write to standard output\n");
		good = false;
	}
	return good ? EXIT_EXPECTED : EXIT_NOT_JUDGED;
}

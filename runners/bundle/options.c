// SPDX-License-Identifier: GPL-2.0-only
#include "bundle/options.h"

#include <getopt.h>
#include <string.h>

#include "stream/command_line.h"

static const char help[] =
"Usage: cts-bundle pack [OPTION]... RUN > ARCHIVE\n"
"       cts-bundle verify [OPTION]... < ARCHIVE\n"
"       cts-bundle template [OPTION]... RUN\n"
"       cts-bundle hidden\n"
"Pack a run to be handed on, check such a bundle, print a statement to fill in, or\n"
"list what --private hides.\n"
"\n"
"  --profiles FILE    output of 'cts-explain --profiles --json'\n"
"  --plans FILE       verify: output of 'cts-agent --plans'\n"
"  --schema FILE      verify: JSON schema of run.json\n"
"  --statement FILE   pack: what the submitter says\n"
"  --allow-blanks     also where that leaves something blank\n"
"  --private          pack: hide what a vendor must not show\n"
"  --words FILE       pack: a line 'KIND WORD' for each word of this machine to hide\n"
"  --profile NAME     verify: instead of the profiles that the statement claims\n"
"  --publish          verify: it is wrong not to consent to that\n"
"  --extract DIR      verify: write the files there if nothing is wrong\n"
"  --help             show this text\n"
"\n"
"Exit status: 0; 1 something is wrong with the bundle or the statement; 2 usage;\n"
"125 it could not be judged, or not be made.\n";

static const struct command_option table[] = {
	COMMAND_TEXT("profiles", struct options, profiles),
	COMMAND_TEXT("plans", struct options, plans),
	COMMAND_TEXT("schema", struct options, schema),
	COMMAND_TEXT("statement", struct options, statement),
	COMMAND_TEXT("words", struct options, words),
	COMMAND_TEXT("extract", struct options, extract),
	COMMAND_TEXT("profile", struct options, profile),
	COMMAND_FLAG("private", struct options, private),
	COMMAND_FLAG("allow-blanks", struct options, allow_blanks),
	COMMAND_FLAG("publish", struct options, publish),
	{ },
};

static const struct command_line line = { "cts-bundle", help, table, false };

/* What each verb wants. */
static const struct {
	const char *name;
	int arguments;
	size_t needs[3];	/* members of struct options */
	size_t need_count;
} verbs[] = {
	{ "pack", 1, { offsetof(struct options, statement) }, 1 },
	{ "verify", 0, { offsetof(struct options, profiles),
			 offsetof(struct options, plans),
			 offsetof(struct options, schema) }, 3 },
	{ "template", 1, { offsetof(struct options, profiles) }, 1 },
	{ "hidden", 0, { 0 }, 0 },
};

static const char *text_at(const struct options *options, size_t place)
{
	return *(const char *const *)((const char *)options + place);
}

static int check(const struct options *options, int words)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++) {
		if (strcmp(verbs[i].name, options->verb))
			continue;
		if (words != verbs[i].arguments)
			return command_line_refuse(&line, "%s", words ?
				"one argument is too many" : "wanted is a run");
		for (size_t need = 0; need < verbs[i].need_count; need++)
			if (!text_at(options, verbs[i].needs[need]))
				return command_line_refuse(&line,
					"a file is missing");
		return -1;
	}
	return command_line_refuse(&line,
		"the verbs are pack, verify, template and hidden");
}

int options_parse(struct options *options, int argc, char **argv)
{
	int status;

	*options = (struct options){ 0 };
	status = command_line_parse(&line, options, argc, argv);
	if (status >= 0)
		return status;
	if (optind == argc)
		return command_line_refuse(&line, "no verb given");
	options->verb = argv[optind++];
	options->path = argv[optind];
	return check(options, argc - optind);
}

// SPDX-License-Identifier: GPL-2.0-only
#include "report/live.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/expected.h"
#include "report/folder.h"
#include "report/intake.h"
#include "report/ktap.h"
#include "report/life.h"
#include "report/mutation.h"
#include "report/options.h"
#include "report/remaining.h"
#include "report/results.h"
#include "report/source.h"
#include "report/summary.h"
#include "stream/line.h"
#include "stream/text.h"

/* A schedule of many jobs is one line. */
#define LINE_LIMIT	(16 << 20)

struct report {
	struct options options;
	struct run run;
	struct folder folder;
	struct ktap ktap;
	struct mutation mutation;
	struct expected expected;
	bool replaying;
};

static void advance(struct report *report)
{
	if (!report->options.mutants)
		ktap_advance(&report->ktap, &report->run);
	else if (!report->replaying)
		mutation_advance(&report->mutation, &report->run);
}

static void take_record(struct report *report, const json_t *record)
{
	const char *type = text_member(record, "type", "");

	if (!report->replaying)
		folder_keep_record(&report->folder, &report->run, record);
	if (!strcmp(type, "schedule"))
		results_write_environment(&report->folder, &report->run);
	advance(report);
}

static void take_line(void *context, const char *text, size_t length,
		      bool whole)
{
	struct report *report = context;
	size_t notes = report->run.notes.count;
	json_t *record;

	if (!report->replaying)
		folder_keep_line(&report->folder, text, length);
	record = intake_line(&report->run, text, length, whole);
	if (report->run.notes.count > notes)
		ktap_comment(&report->ktap, report->run.notes.items[notes]);
	if (record)
		take_record(report, record);
	json_decref(record);
}

static void take_old_line(void *context, const char *text, size_t length)
{
	take_line(context, text, length, true);
}

/* What an earlier cts-report read; standard output has it already. */
static bool replay(struct report *report)
{
	bool good;

	if (!report->options.append)
		return true;
	report->replaying = true;
	report->ktap.to_stdout = false;
	good = folder_replay(&report->folder, take_old_line, report);
	report->replaying = false;
	report->mutation.told = 0;
	source_forget_all(&report->run);
	report->run.jobs_begun = 0;
	report->ktap.to_stdout = !report->options.quiet;
	return good;
}

static bool read_stream(struct report *report)
{
	struct line_reader reader;
	char data[65536];
	ssize_t length;

	if (!line_reader_init(&reader, LINE_LIMIT, take_line, report))
		return false;
	for (;;) {
		length = read(STDIN_FILENO, data, sizeof(data));
		if (length < 0 && errno == EINTR)
			continue;
		if (length <= 0 || outfile_failed())
			break;
		line_reader_feed(&reader, data, length);
	}
	line_reader_finish(&reader);
	line_reader_release(&reader);
	if (length < 0)
		fprintf(stderr, "cts-report: cannot read the stream: %s\n",
			strerror(errno));
	return length >= 0;
}

/* Kept in the stream too, or a later --append would not know of it. */
static void note_early_end(struct report *report)
{
	struct run *run = &report->run;

	for_list(struct source *, source, &run->sources) {
		const char *line = memory_print("{\"guest\":%d,\"type\":"
			"\"guest\",\"event\":\"exit\",\"reason\":\"the "
			"stream ended early\"}", source->number);

		if (source->current)
			take_line(report, line, strlen(line), true);
	}
	if (!source_all_ended(run) && !run->cut_short)
		run->cut_short = "the stream ended early";
}

static int fail(const char *why)
{
	fprintf(stderr, "cts-report: %s\n", why);
	return EXIT_NOT_JUDGED;
}

/* A case where there is nothing to judge; -1 if there is something. */
static int check_stream(const struct report *report)
{
	const struct run *run = &report->run;

	if (outfile_failed())
		return EXIT_NOT_JUDGED;
	if (run->error) {
		fprintf(stderr, "cts-report: %s\n", run->error);
		return run->error_status;
	}
	if (!run->hello)
		return fail("nothing came on the stream: the suite did not "
			    "start, or it has no channel for results");
	if (!run->jobs.count)
		return fail("no job was scheduled: the run was cut short "
			    "before it began");
	return -1;
}

static bool was_interrupted(const struct run *run)
{
	return !source_all_ended(run) && run_was_interrupted(run);
}

/* A mistake in what is expected takes nothing from what was found. */
static bool load_expected(struct report *report)
{
	struct expected *expected = &report->expected;

	expected->gate = report->options.gate;
	if (expected_load(expected, report->options.expected,
			  json_object_get(report->run.environment,
					  "kernel")) &&
	    expected_load_baseline(expected, report->options.baseline))
		return true;
	fprintf(stderr, "cts-report: the run is judged as if nothing were "
		"expected; mend that and judge it again with --append\n");
	expected_forget(expected);
	return false;
}

static bool judge(struct report *report)
{
	struct run *run = &report->run;

	expected_compare(&report->expected, run);
	if (report->options.mutants)
		return mutation_report(&report->mutation, run, &report->folder);
	summary_print(run, &report->expected, report->options.output);
	return !summary_unexpected(run, &report->expected);
}

/*
 * Something remains. Between two guests there is nothing to say; when the user
 * interrupted the run, or a real machine's kernel broke, there is.
 */
static int leave_open(struct report *report)
{
	bool in_guest = !strcmp(text_member(report->run.hello, "mode", ""),
				"vm");
	int status = EXIT_EXPECTED;

	if (was_interrupted(&report->run))
		status = EXIT_NOT_JUDGED;
	else if (!report->run.jobs_begun)
		status = fail("no job was begun: what remains cannot be run");
	else if (!in_guest)
		status = EXIT_UNEXPECTED;
	if (!report->options.remaining || status == EXIT_UNEXPECTED)
		judge(report);
	results_write(&report->folder, &report->run,
		      &report->expected.missing, false);
	return status;
}

static int close_run(struct report *report)
{
	bool good;

	life_finish(&report->run);
	advance(report);
	ktap_finish(&report->ktap);
	good = judge(report);
	results_write(&report->folder, &report->run,
		      &report->expected.missing, true);
	return good ? EXIT_EXPECTED : EXIT_UNEXPECTED;
}

static int finish(struct report *report)
{
	const char *remaining = report->options.remaining;
	bool rest = remaining_count(&report->run);
	int status = check_stream(report);
	bool known;

	if (status >= 0)
		return status;
	known = load_expected(report);
	if (remaining && !remaining_write(&report->run, remaining))
		return EXIT_NOT_JUDGED;
	if (rest && (remaining || was_interrupted(&report->run)))
		status = leave_open(report);
	else
		status = close_run(report);
	results_write_environment(&report->folder, &report->run);
	if (fflush(stdout) || ferror(stdout) || report->ktap.stdout_failed)
		return fail("cannot write to standard output");
	if (outfile_failed())
		return EXIT_NOT_JUDGED;
	return known ? status : EXIT_USAGE;
}

static int run_report(struct report *report)
{
	const struct options *options = &report->options;

	if (options->mutants &&
	    !mutant_list_load(&report->mutation.mutants, options->mutants))
		return EXIT_USAGE;
	if (!folder_open(&report->folder, options->output, options->append))
		return EXIT_NOT_JUDGED;
	report->ktap.folder = &report->folder;
	report->ktap.to_stdout = !options->quiet && !options->mutants;
	if (!replay(report) || !read_stream(report))
		return EXIT_NOT_JUDGED;
	note_early_end(report);
	return finish(report);
}

int live_main(int argc, char **argv)
{
	struct report report = { 0 };
	int status = options_parse(&report.options, argc, argv);

	if (status >= 0)
		return status;
	/* The agent ends on these; this reads its last words. */
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	run_init(&report.run);
	status = run_report(&report);
	folder_close(&report.folder);
	mutant_list_release(&report.mutation.mutants);
	expected_release(&report.expected);
	run_release(&report.run);
	return status;
}

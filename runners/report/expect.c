// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is unexpected of a run gets a line of its own pair, or the line that it
 * has there is brought up to date. No line is ever made to speak of more than
 * it did. What a person must decide is told: why a failure is expected, and
 * why a known one is gone on the kernel that had it.
 */
#include "report/expect.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "report/expected.h"
#include "report/expected_file.h"
#include "report/expected_line.h"
#include "report/kernel_version.h"
#include "report/load.h"
#include "report/options.h"
#include "stream/command_line.h"
#include "stream/text.h"

static const char help[] =
"Usage: cts-report expect --expected DIR [OPTION]... RUN\n"
"Bring the files of expected results up to date with a run, a result folder or a\n"
"run.json, so that it has nothing unexpected.\n"
"\n"
"  --fails REASON    expect its failures, too, for that reason\n"
"  --found-by NAME   who found these failures\n"
"  --wide            one line for all pairs, or all with one end, of the run where\n"
"                    they all skip or refuse alike\n"
"  --rates           count the run in the rates of flakes; once for each run\n"
"  --prune           remove lines that met nothing\n"
"  --dry-run         say what would be done, and do nothing\n"
"  --help            show this text\n"
"\n"
"Exit status: 0 all of the run is expected now; 1 something is left to decide;\n"
"2 usage, or a mistake in a file; 125 the run cannot be read, is incomplete, or\n"
"files cannot be written.\n";

struct expect {
	const char *folder;
	const char *fails;	/* reason to expect failures, or NULL */
	const char *found_by;	/* or NULL */
	bool wide;
	bool rates;
	bool prune;
	bool dry_run;
	struct loaded loaded;
	struct expected expected;
	struct leaf_index index;
	struct list files;	/* of struct expected_file */
	struct list handled;	/* lines of leaves that are not as expected */
	size_t done;		/* lines added, changed, removed */
	size_t left;		/* things that a person must decide */
	bool failed;
};

static void tell(const char *what, const char *path, const char *text)
{
	printf("%-8s %s: %s\n", what, path, text);
}

static void leave(struct expect *expect, const char *path, const char *text,
		  const char *why)
{
	expect->left++;
	tell("decide", path, memory_print("%s (%s)", text, why));
}

static const char *series_folder(const struct expect *expect)
{
	json_t *kernel = json_object_get(expect->loaded.json, "kernel");

	return memory_print("%s/%s", expect->folder,
			    text_member(kernel, "series", "unknown"));
}

static const char *path_for(const struct expect *expect, const char *exporter,
			    const char *importer)
{
	return memory_print("%s/%s,%s.txt", series_folder(expect), exporter,
			    importer);
}

static struct expected_file *file_for(struct expect *expect, const char *path)
{
	struct expected_file *file = expected_file_get(&expect->files, path);

	expect->failed |= !file;
	return file;
}

/* One line, without the sign that parts fields. */
static const char *reason_for_file(const char *reason)
{
	char *copy = (char *)memory_copy(reason ?: "");

	for (char *c = copy; *c; c++) {
		if (*c == '|')
			*c = '/';
		else if ((unsigned char)*c < ' ')
			*c = ' ';
	}
	copy += strspn(copy, " ");
	return *copy ? copy : "the test gives no reason";
}

static bool is_alike(const struct named_leaf *other, const struct leaf *leaf,
		     const char *title)
{
	return !strcmp(other->leaf->clause, leaf->clause) &&
	       !strcmp(case_title(other->test), title);
}

/*
 * Whether all leaves of that clause and case have that verdict, on all pairs of
 * the run that have these ends, and there are several; NULL stands for any.
 */
static bool all_agree(const struct expect *expect, const struct leaf *leaf,
		      const char *title, const char *exporter,
		      const char *importer)
{
	size_t count = 0;

	for (size_t i = 0; i < expect->index.count; i++) {
		const struct named_leaf *other = &expect->index.items[i];
		const struct pair *pair = other->test->job->pair;

		if (!is_alike(other, leaf, title) ||
		    (exporter && strcmp(pair->exporter, exporter)) ||
		    (importer && strcmp(pair->importer, importer)))
			continue;
		if (other->leaf->verdict != leaf->verdict)
			return false;
		count++;
	}
	return count > 1;
}

/* The file for a new line; a failure stays with its pair, whatever is asked. */
static const char *place_of(const struct expect *expect,
			    const struct leaf *leaf,
			    const struct test_case *test)
{
	const struct pair *pair = test->job->pair;
	const char *title = case_title(test);

	if (expect->wide && verdict_is_skip(leaf->verdict)) {
		if (all_agree(expect, leaf, title, NULL, NULL))
			return path_for(expect, "any", "any");
		if (all_agree(expect, leaf, title, NULL, pair->importer))
			return path_for(expect, "any", pair->importer);
		if (all_agree(expect, leaf, title, pair->exporter, NULL))
			return path_for(expect, pair->exporter, "any");
	}
	return path_for(expect, pair->exporter, pair->importer);
}

static struct expected_line describe(const struct expect *expect,
				     const struct leaf *leaf,
				     const struct test_case *test)
{
	bool bad = verdict_is_bad(leaf->verdict);

	return (struct expected_line){
		.clause = leaf->clause,
		.title = case_title(test),
		.verdicts = verdict_name(leaf->verdict),
		.value = leaf->verdict == VERDICT_VALUE ? leaf->value : NULL,
		.reason = reason_for_file(bad ? expect->fails : leaf->reason),
		.first = bad ? expect->expected.kernel : NULL,
		.found_by = bad ? expect->found_by : NULL,
	};
}

/* Two lines that differ in the reason alone say the same. */
static bool has_been_added(const struct expected_file *file,
			   const struct expected_line *line)
{
	const char *start = memory_print("%s %s %s ", line->clause, line->title,
					 line->verdicts);

	for_list(const char *, added, &file->added)
		if (!strncmp(added, start, strlen(start)))
			return true;
	return false;
}

static void add_line(struct expect *expect, const struct leaf *leaf,
		     const struct test_case *test)
{
	struct expected_line line = describe(expect, leaf, test);
	const char *path = place_of(expect, leaf, test);
	struct expected_file *file = file_for(expect, path);
	const char *text = expected_line_print(&line);

	if (!file || has_been_added(file, &line))
		return;
	expected_file_add(file, text);
	expect->done++;
	tell("add", path, text);
}

static void change_line(struct expect *expect, const struct expected_line *old,
			const struct expected_line *line)
{
	struct expected_file *file = file_for(expect, old->file);
	const char *text = expected_line_print(line);

	if (!file)
		return;
	expected_file_replace(file, old->number, text);
	expect->done++;
	tell("change", old->file, text);
}

static void change_value(struct expect *expect, const struct expected_line *old,
			 const struct leaf *leaf)
{
	struct expected_line line = *old;

	line.value = leaf->value;
	change_line(expect, old, &line);
}

static void remove_line(struct expect *expect, const struct expected_line *line)
{
	struct expected_file *file = file_for(expect, line->file);

	if (!file)
		return;
	expected_file_remove(file, line->number);
	expect->done++;
	tell("remove", line->file, expected_line_print(line));
}

/* The line that speaks of this leaf on this series, and of nothing else. */
static struct expected_line *own_line(const struct expect *expect,
				      const struct leaf *leaf,
				      const struct test_case *test)
{
	const struct pair *pair = test->job->pair;
	const char *path = path_for(expect, pair->exporter, pair->importer);

	for_list(struct expected_line *, line, &expect->expected.lines)
		if (line->contradicted && !strcmp(line->file, path) &&
		    !strcmp(line->clause, leaf->clause) &&
		    !strcmp(line->title, case_title(test)))
			return line;
	return NULL;
}

static bool is_failure(const struct expected_line *line)
{
	for (int verdict = 1; verdict < VERDICT_COUNT; verdict++)
		if (line->allows[verdict] && verdict_is_bad(verdict))
			return true;
	return false;
}

/* Fixed, if the kernel on which it was seen is older than this one. */
static bool is_fixed(const struct expect *expect,
		     const struct expected_line *line)
{
	struct kernel_version first, running;

	return line->first && !line->fixed &&
	       kernel_version_parse(&first, line->first) &&
	       kernel_version_parse(&running, expect->expected.kernel) &&
	       kernel_version_compare(&first, &running) < 0;
}

/* A known failure that is none, or is not judged any more. */
static void mend_failure(struct expect *expect, const struct expected_line *old,
			 const struct leaf *leaf)
{
	struct expected_line line = *old;

	if (verdict_is_skip(leaf->verdict) || !is_fixed(expect, old)) {
		leave(expect, old->file, expected_line_print(old),
		      memory_print("is %s, and not known to have failed on an "
				   "older kernel: a flake, or another test?",
				   verdict_name(leaf->verdict)));
		return;
	}
	line.fixed = expect->expected.kernel;
	change_line(expect, old, &line);
}

static bool needs_line(const struct leaf *leaf)
{
	return verdict_is_bad(leaf->verdict) || verdict_is_skip(leaf->verdict);
}

static void mend_line(struct expect *expect, const struct expected_line *old,
		      const struct leaf *leaf, const struct test_case *test)
{
	struct expected_line line = describe(expect, leaf, test);

	if (expected_line_is_flake(old))
		leave(expect, old->file, expected_line_print(old),
		      memory_print("is %s now", verdict_name(leaf->verdict)));
	else if (is_failure(old) && !verdict_is_bad(leaf->verdict))
		mend_failure(expect, old, leaf);
	else if (needs_line(leaf))
		change_line(expect, old, &line);
	else if (old->value && leaf->verdict == VERDICT_VALUE)
		change_value(expect, old, leaf);
	else
		remove_line(expect, old);
}

static void take_leaf(struct leaf *leaf, struct test_case *test, void *context)
{
	struct expect *expect = context;
	struct expected_line *old = own_line(expect, leaf, test);
	const char *name = load_leaf_name(leaf, test);

	if (!leaf->expected)
		return;
	if (old)
		list_add(&expect->handled, old);
	if (verdict_is_bad(leaf->verdict) && !expect->fails)
		leave(expect, name, verdict_name(leaf->verdict),
		      memory_print("wants a reason, --fails REASON: %s",
				   leaf->reason ?: ""));
	else if (old)
		mend_line(expect, old, leaf, test);
	else if (needs_line(leaf))
		add_line(expect, leaf, test);
	else
		leave(expect, name, verdict_name(leaf->verdict),
		      memory_print("a line of several pairs or kernels says %s",
				   leaf->expected));
}

/* One more run, of as many leaves as the line speaks of. */
static void count_flake(struct expect *expect, const struct expected_line *old)
{
	struct expected_line line = *old;

	for (size_t i = 0; i < expect->index.count; i++) {
		const struct named_leaf *named = &expect->index.items[i];

		if (!expected_line_matches(old, named->test->job->pair,
					   case_title(named->test),
					   named->leaf->clause) ||
		    !expected_line_allows(old, named->leaf))
			continue;
		line.rate.runs++;
		line.rate.bad += verdict_is_bad(named->leaf->verdict);
	}
	if (line.rate.runs != old->rate.runs)
		change_line(expect, old, &line);
}

static bool is_handled(const struct expect *expect,
		       const struct expected_line *wanted)
{
	for_list(struct expected_line *, line, &expect->handled)
		if (line == wanted)
			return true;
	return false;
}

/* A line that met nothing; the gate misses what a strict one speaks of. */
static void take_line(struct expect *expect, const struct expected_line *line)
{
	const char *text = expected_line_print(line);

	if (!line->unmet || is_handled(expect, line))
		return;
	if (expect->prune)
		remove_line(expect, line);
	else if (line->strict && !line->contradicted)
		leave(expect, line->file, text, "is missing, or --prune");
	else
		tell("stale", line->file, text);
}

/* What an earlier comparison found is forgotten. */
static void forget(struct leaf *leaf, struct test_case *test, void *context)
{
	(void)test;
	(void)context;
	leaf->expected = leaf->excuse = leaf->flake = NULL;
}

static bool save(const struct expect *expect)
{
	if (expect->failed)
		return false;
	for_list(struct expected_file *, file, &expect->files)
		if (!expect->dry_run && !expected_file_save(file))
			return false;
	return true;
}

static int update(struct expect *expect)
{
	struct run *run = &expect->loaded.run;

	run_visit_leaves(run, forget, NULL);
	expect->expected.gate = true;
	if (!expected_load(&expect->expected, expect->folder,
			   json_object_get(expect->loaded.json, "kernel")))
		return EXIT_USAGE;
	expected_compare(&expect->expected, run);
	leaf_index_build(&expect->index, run);
	run_visit_leaves(run, take_leaf, expect);
	for_list(struct expected_line *, line, &expect->expected.lines)
		take_line(expect, line);
	for_list(struct expected_line *, line, &expect->expected.lines)
		if (expect->rates && expected_line_is_flake(line))
			count_flake(expect, line);
	if (!save(expect))
		return EXIT_NOT_JUDGED;
	printf("%zu line%s %s, %zu left to decide\n", expect->done,
	       expect->done == 1 ? "" : "s", expect->dry_run ?
	       "to change" : "changed", expect->left);
	if (fflush(stdout) || ferror(stdout))
		return EXIT_NOT_JUDGED;
	return expect->left ? EXIT_UNEXPECTED : EXIT_EXPECTED;
}

/* Lines from half a run, or from one with faults, would not hold. */
static bool check_run(const struct loaded *loaded)
{
	const char *wrong = NULL;

	if (!loaded->complete)
		wrong = memory_print("is incomplete: %s",
				     loaded->run.cut_short);
	for_list(struct job *, job, &loaded->run.jobs)
		if (job->fault)
			wrong = "is of a mutation run";
	if (wrong)
		fprintf(stderr, "cts-report: %s: %s\n", loaded->path, wrong);
	return !wrong;
}

static const struct command_line line;

/* A text that stands in one field of a line, or NULL if it cannot. */
static const char *field(const char *text)
{
	return text[strspn(text, " ")] && !strpbrk(text, "|\n") ? text : NULL;
}

static int set_fails(void *into, char *argument)
{
	struct expect *expect = into;

	expect->fails = field(argument);
	return expect->fails ? -1 :
	       command_line_refuse(&line, "--fails wants one line without |");
}

static int set_found_by(void *into, char *argument)
{
	struct expect *expect = into;

	expect->found_by = field(argument);
	return expect->found_by ? -1 :
	       command_line_refuse(&line, "--found-by wants one line without |");
}

static const struct command_option table[] = {
	COMMAND_TEXT("expected", struct expect, folder),
	COMMAND_CALL("fails", set_fails),
	COMMAND_CALL("found-by", set_found_by),
	COMMAND_FLAG("wide", struct expect, wide),
	COMMAND_FLAG("rates", struct expect, rates),
	COMMAND_FLAG("prune", struct expect, prune),
	COMMAND_FLAG("dry-run", struct expect, dry_run),
	{ .name = NULL },
};

static const struct command_line line = { "cts-report expect", help, table, false };

static int parse(struct expect *expect, int argc, char **argv)
{
	int status = command_line_parse(&line, expect, argc, argv);

	if (status >= 0)
		return status;
	if (argc - optind != 1)
		return command_line_refuse(&line, "wants one run");
	return expect->folder ? -1 :
	       command_line_refuse(&line, "wants --expected DIR");
}

int expect_main(int argc, char **argv)
{
	struct expect expect = { 0 };
	int status = parse(&expect, argc, argv);

	if (status >= 0)
		return status;
	if (load_run(&expect.loaded, argv[optind]) &&
	    check_run(&expect.loaded))
		status = update(&expect);
	else
		status = EXIT_NOT_JUDGED;
	load_release(&expect.loaded);
	return status;
}

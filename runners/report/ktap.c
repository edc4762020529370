// SPDX-License-Identifier: GPL-2.0-only
/*
 * Neither a pair's nor a program's number of cases is known before its end,
 * and the kernel's parser takes a late plan for a test; so pairs have a
 * "# Subtest" line and no plan, which KTAP allows. Cases have both.
 */
#include "report/ktap.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/judge.h"
#include "stream/text.h"

static void write_stdout(struct ktap *ktap, const char *text, size_t length)
{
	while (length && !ktap->stdout_failed) {
		ssize_t done = write(STDOUT_FILENO, text, length);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			ktap->stdout_failed = true;
		text += done;
		length -= done;
	}
}

static void put(struct ktap *ktap, const char *format, ...)
{
	va_list arguments;
	char *text;
	int length;

	va_start(arguments, format);
	length = vasprintf(&text, format, arguments);
	va_end(arguments);
	if (length < 0)
		return;
	outfile_write(&ktap->folder->ktap, text, length);
	if (ktap->to_stdout)
		write_stdout(ktap, text, length);
	free(text);
}

/* One line of plain ASCII, without the sign that begins a directive. */
static const char *plain(const char *text)
{
	char *copy = (char *)memory_copy(text ?: "");

	for (char *c = copy; *c; c++) {
		if (*c == '#')
			*c = '*';
		else if ((unsigned char)*c < ' ')
			*c = ' ';
		else if ((unsigned char)*c > '~')
			*c = '?';
	}
	return copy;
}

static const char *directive(const struct leaf *leaf)
{
	static const char *const words[VERDICT_COUNT] = {
		[VERDICT_SKIP] = " # SKIP ",
		[VERDICT_REFUSED] = " # SKIP refused: ",
		[VERDICT_ERROR] = " # ERROR ",
		[VERDICT_TIMEOUT] = " # TIMEOUT ",
	};
	const char *word = words[leaf->verdict];

	if (!word)
		return "";
	return memory_print("%s%s", word, plain(leaf->reason));
}

static const char *result_of(enum verdict verdict)
{
	return verdict_is_bad(verdict) ? "not ok" : "ok";
}

static const char *remark(const struct leaf *leaf)
{
	return leaf->verdict == VERDICT_VALUE ? leaf->value : leaf->reason;
}

static bool needs_remark(const struct leaf *leaf)
{
	return leaf->verdict != VERDICT_PASS && !*directive(leaf) &&
	       remark(leaf) && *remark(leaf);
}

static void put_leaf(struct ktap *ktap, const struct leaf *leaf,
		     unsigned int number)
{
	if (needs_remark(leaf))
		put(ktap, "    # %s: %s\n", verdict_name(leaf->verdict),
		    plain(remark(leaf)));
	put(ktap, "    %s %u %s%s\n", result_of(leaf->verdict), number,
	    plain(leaf->clause), directive(leaf));
}

static const char *title_of(const struct test_case *test)
{
	return plain(case_title(test));
}

static void put_flat(struct ktap *ktap, const struct leaf *leaf,
		     const struct test_case *test)
{
	struct outfile *tap = &ktap->folder->tap;

	if (!ktap->leaf_count++)
		outfile_print(tap, "TAP version 13\n");
	if (needs_remark(leaf))
		outfile_print(tap, "# %s: %s\n", verdict_name(leaf->verdict),
			      plain(remark(leaf)));
	outfile_print(tap, "%s %u - %s %s %s%s\n", result_of(leaf->verdict),
		      ktap->leaf_count, plain(test->job->pair->name),
		      title_of(test), plain(leaf->clause), directive(leaf));
}

struct summary {
	enum verdict worst;
	bool all_skipped;
};

static struct summary summarize(const struct test_case *test)
{
	struct summary summary = { .all_skipped = true };

	for_list(struct leaf *, leaf, &test->leaves) {
		summary.worst = verdict_worse(summary.worst, leaf->verdict);
		summary.all_skipped &= verdict_is_skip(leaf->verdict);
	}
	return summary;
}

/* What a reader must know of one end. */
static void put_note(struct ktap *ktap, const char *role, const char *selector)
{
	json_t *backend = run_find_backend(ktap->run, role, selector);
	const char *note = text_member(backend, "note", "");

	if (*note)
		put(ktap, "  # %s %s: %s\n", role, plain(selector), plain(note));
}

/* That these are no verdicts of ours, and what they are about. */
static void put_origin(struct ktap *ktap, const struct test_case *test)
{
	json_t *clause;
	size_t i;

	if (!test->job->origin)
		return;
	put(ktap, "    # a test of %s, on no clause", plain(test->job->origin));
	json_array_foreach(test->touches, i, clause)
		put(ktap, "%s%s", i ? " " : "; it touches ",
		    plain(json_string_value(clause)));
	put(ktap, "\n");
}

static void open_pair(struct ktap *ktap, struct pair *pair)
{
	if (pair->opened)
		return;
	pair->opened = true;
	put(ktap, "  KTAP version 1\n  # Subtest: %s\n", plain(pair->name));
	put_note(ktap, "exporter", pair->exporter);
	put_note(ktap, "importer", pair->importer);
}

static void put_case(struct ktap *ktap, struct test_case *test)
{
	struct summary summary = summarize(test);
	struct pair *pair = test->job->pair;
	unsigned int number = 0;

	open_pair(ktap, pair);
	put(ktap, "    KTAP version 1\n    # Subtest: %s\n    1..%zu\n",
	    title_of(test), test->leaves.count);
	put_origin(ktap, test);
	for_list(struct leaf *, leaf, &test->leaves) {
		put_leaf(ktap, leaf, ++number);
		put_flat(ktap, leaf, test);
	}
	put(ktap, "  %s %u %s%s\n", result_of(summary.worst),
	    ++pair->case_count, title_of(test),
	    summary.all_skipped ? " # SKIP" : "");
	pair->worst = verdict_worse(pair->worst, summary.worst);
	pair->all_skipped &= summary.all_skipped;
}

static void put_settled_cases(struct ktap *ktap, struct job *job)
{
	while (job->written < job->cases.count) {
		struct test_case *test = job->cases.items[job->written];

		if (!test->judged && !test->excluded) {
			if (!test->started || !case_is_settled(test))
				return;
			case_judge(test);
		}
		if (test->leaves.count)
			put_case(ktap, test);
		job->written++;
	}
}

static bool put_jobs(struct ktap *ktap, struct pair *pair)
{
	while (pair->written < pair->jobs.count) {
		struct job *job = pair->jobs.items[pair->written];

		put_settled_cases(ktap, job);
		if (job->state != JOB_OVER)
			return false;
		pair->written++;
	}
	return true;
}

static void put_pair_result(struct ktap *ktap, struct pair *pair,
			    unsigned int number)
{
	pair_close(pair);
	for_list(struct job *, job, &pair->jobs)
		put_settled_cases(ktap, job);
	put(ktap, "%s %u %s%s\n", result_of(pair->worst), number,
	    plain(pair->name), pair->all_skipped ? " # SKIP" : "");
}

static void begin(struct ktap *ktap, const struct run *run)
{
	ktap->begun = true;
	ktap->run = run;
	put(ktap, "KTAP version 1\n1..%zu\n", run->pairs.count);
}

void ktap_advance(struct ktap *ktap, struct run *run)
{
	if (!run->pairs.count)
		return;
	if (!ktap->begun)
		begin(ktap, run);
	while (ktap->pairs_written < run->pairs.count) {
		struct pair *pair = run->pairs.items[ktap->pairs_written];

		if (!put_jobs(ktap, pair))
			return;
		put_pair_result(ktap, pair, ++ktap->pairs_written);
	}
}

void ktap_comment(struct ktap *ktap, const char *text)
{
	put(ktap, "# %s\n", plain(text));
}

void ktap_finish(struct ktap *ktap)
{
	outfile_print(&ktap->folder->tap, "%s1..%u\n",
		      ktap->leaf_count ? "" : "TAP version 13\n",
		      ktap->leaf_count);
}

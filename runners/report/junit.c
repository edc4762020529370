// SPDX-License-Identifier: GPL-2.0-only
/*
 * JUnit XML: a suite for each pair, a test case for each leaf. What JUnit has
 * no word for is in the properties of the test case, so that nothing is lost.
 */
#include <stdio.h>
#include <string.h>

#include "report/render.h"
#include "report/results.h"
#include "stream/text.h"

static const char no_character[] = "\xEF\xBF\xBD";

/* XML has no way to say a control character, U+FFFE or U+FFFF. */
static const char *replacement(const unsigned char *at, size_t *length)
{
	static const struct {
		char character;
		const char *name;
	} names[] = {
		{ '&', "&amp;" }, { '<', "&lt;" }, { '>', "&gt;" },
		{ '"', "&quot;" }, { '\t', "&#9;" }, { '\n', "&#10;" },
		{ '\r', "&#13;" },
	};

	*length = 1;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (*at == names[i].character)
			return names[i].name;
	if (*at < ' ')
		return no_character;
	*length = 3;
	if (at[0] == 0xEF && at[1] == 0xBF && at[2] >= 0xBE)
		return no_character;
	return NULL;
}

static void put_text(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	while (*at) {
		size_t length;
		const char *other = replacement(at, &length);

		if (other) {
			fputs(other, stdout);
			at += length;
		} else {
			putchar(*at++);
		}
	}
}

static void put_attribute(const char *name, const char *value)
{
	printf(" %s=\"", name);
	put_text(value);
	putchar('"');
}

static void put_property(const char *indent, const char *name,
			 const char *value)
{
	if (!value || !*value)
		return;
	printf("%s<property", indent);
	put_attribute("name", name);
	put_attribute("value", value);
	printf("/>\n");
}

struct counts {
	unsigned int tests;
	unsigned int failures;
	unsigned int errors;
	unsigned int skipped;
	double seconds;
};

static double seconds_of(const struct test_case *test)
{
	return (test->end_ns - test->start_ns) / 1e9;
}

static void count_case(struct counts *counts, const struct test_case *test)
{
	counts->seconds += test->leaves.count ? seconds_of(test) : 0;
	for_list(struct leaf *, leaf, &test->leaves) {
		counts->tests++;
		if (leaf->verdict == VERDICT_ERROR)
			counts->errors++;
		else if (verdict_is_bad(leaf->verdict))
			counts->failures++;
		else if (verdict_is_skip(leaf->verdict))
			counts->skipped++;
	}
}

static void count_pair(struct counts *counts, const struct pair *pair)
{
	for_list(struct job *, job, &pair->jobs)
		for_list(struct test_case *, test, &job->cases)
			count_case(counts, test);
}

static void put_counts(const struct counts *counts)
{
	printf(" tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\" "
	       "time=\"%.9f\"", counts->tests, counts->failures,
	       counts->errors, counts->skipped, counts->seconds);
}

/* Passed says too little of these. */
static void put_remark(const struct leaf *leaf)
{
	const char *text = leaf->verdict == VERDICT_VALUE ? leaf->value :
			   leaf->reason;

	if (!text || !*text)
		return;
	printf("   <system-out>");
	put_text(memory_print("%s: %s", verdict_name(leaf->verdict), text));
	printf("</system-out>\n");
}

static void put_result(const struct leaf *leaf)
{
	static const char *const elements[VERDICT_COUNT] = {
		[VERDICT_SKIP] = "skipped", [VERDICT_REFUSED] = "skipped",
		[VERDICT_FAIL] = "failure", [VERDICT_CRASH] = "failure",
		[VERDICT_TIMEOUT] = "failure", [VERDICT_ERROR] = "error",
	};
	const char *element = elements[leaf->verdict];

	if (!element) {
		put_remark(leaf);
		return;
	}
	printf("   <%s", element);
	put_attribute("type", verdict_name(leaf->verdict));
	put_attribute("message", leaf->verdict == VERDICT_REFUSED ?
		      memory_print("refused: %s", leaf->reason ?: "") :
		      leaf->reason ?: "");
	printf("/>\n");
}

static const char *touches_of(const struct test_case *test)
{
	const char *list = "";
	json_t *clause;
	size_t i;

	json_array_foreach(test->touches, i, clause)
		list = memory_print("%s%s%s", list, *list ? " " : "",
				    json_string_value(clause) ?: "?");
	return list;
}

static void put_leaf_properties(const struct run *run, const struct leaf *leaf,
				const struct test_case *test)
{
	static const char indent[] = "    ";
	const char *name = text_member(leaf->subject, "name", "");

	printf("   <properties>\n");
	put_property(indent, "verdict", verdict_name(leaf->verdict));
	put_property(indent, "value", leaf->value);
	put_property(indent, "strength", leaf->strength);
	put_property(indent, "subject", leaf->subject ? memory_print(
		     "%s %s (%s %s)", text_member(leaf->subject, "role", ""),
		     name, text_member(leaf->subject, "driver", ""),
		     text_member(leaf->subject, "version", "")) : "");
	put_property(indent, "self_test", leaf->ours ? "true" : "false");
	put_property(indent, "origin", test->job->origin);
	put_property(indent, "touches", touches_of(test));
	put_property(indent, "evidence",
		     results_evidence(run, leaf, test->job->pair));
	put_property(indent, "expected", leaf->expected);
	put_property(indent, "known", leaf->excuse);
	put_property(indent, "flake", leaf->flake);
	printf("   </properties>\n");
}

/* The time of a case is that of its first leaf, so that sums are right. */
static void put_leaf(const struct run *run, const struct leaf *leaf,
		     const struct test_case *test)
{
	const struct pair *pair = test->job->pair;
	bool first = leaf == test->leaves.items[0];

	printf("  <testcase");
	put_attribute("classname", pair->name);
	put_attribute("name", memory_print("%s %s", case_title(test),
					   leaf->clause));
	printf(" time=\"%.9f\">\n", first ? seconds_of(test) : 0.0);
	put_leaf_properties(run, leaf, test);
	put_result(leaf);
	printf("  </testcase>\n");
}

static void put_run_properties(const struct loaded *loaded, bool first)
{
	json_t *kernel = json_object_get(loaded->json, "kernel");
	static const char indent[] = "   ";

	printf("  <properties>\n");
	put_property(indent, "kernel", text_member(kernel, "release", ""));
	put_property(indent, "arch", text_member(kernel, "arch", ""));
	put_property(indent, "suite", text_member(loaded->json, "suite", ""));
	put_property(indent, "complete", loaded->complete ? "true" : "false");
	put_property(indent, "cut_short", loaded->run.cut_short);
	for_list(const char *, missing, &loaded->missing)
		put_property(indent, "missing", first ? missing : "");
	for_list(const char *, leak, &loaded->run.leaks)
		put_property(indent, "leak", first ? leak : "");
	printf("  </properties>\n");
}

static void put_pair(const struct loaded *loaded, const struct pair *pair)
{
	struct counts counts = { 0 };

	count_pair(&counts, pair);
	printf(" <testsuite");
	put_attribute("name", pair->name);
	put_counts(&counts);
	printf(">\n");
	put_run_properties(loaded, pair == loaded->run.pairs.items[0]);
	for_list(struct job *, job, &pair->jobs)
		for_list(struct test_case *, test, &job->cases)
			for_list(struct leaf *, leaf, &test->leaves)
				put_leaf(&loaded->run, leaf, test);
	printf(" </testsuite>\n");
}

bool render_junit(struct loaded *loaded, const struct render_options *options)
{
	struct counts counts = { 0 };

	(void)options;
	for_list(struct pair *, pair, &loaded->run.pairs)
		count_pair(&counts, pair);
	printf("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
	put_attribute("name", "dmabuf-cts");
	put_counts(&counts);
	printf(">\n");
	for_list(struct pair *, pair, &loaded->run.pairs)
		put_pair(loaded, pair);
	printf("</testsuites>\n");
	return true;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "report/judge.h"

#include <string.h>

#include "stream/text.h"

bool case_is_settled(const struct test_case *test)
{
	if (test->run_over || test->job->state == JOB_OVER)
		return true;
	return (test->ended || test->death) && test->result != RESULT_NONE;
}

static json_t *worst_check(const struct test_case *test, const char *clause)
{
	for_list(json_t *, check, &test->checks)
		if (!strcmp(text_member(check, "clause", ""), clause))
			return check;
	return NULL;
}

static const char *describe_check(const json_t *check)
{
	const char *expression = text_member(check, "expression", "");
	const char *detail = text_member(check, "detail", "");

	return memory_print("%s%s%s", expression,
			    *expression && *detail ? ": " : "", detail);
}

/* A clause cannot come out better than a check of it that failed. */
static void compare_with_checks(struct leaf *leaf, const struct test_case *test)
{
	json_t *check = worst_check(test, leaf->clause);
	enum verdict worst = verdict_find(text_member(check, "verdict", NULL));

	if (worst == VERDICT_FAIL && !verdict_is_bad(leaf->verdict)) {
		leaf->reason = memory_print(
			"verdict %s although a check of it failed: %s",
			verdict_name(leaf->verdict),
			text_member(check, "expression", ""));
		leaf->verdict = VERDICT_ERROR;
	}
	if (worst == leaf->verdict && worst != VERDICT_PASS &&
	    (!leaf->reason || !*leaf->reason))
		leaf->reason = describe_check(check);
}

static void judge_open_clauses(struct test_case *test)
{
	enum verdict verdict = test->death ?: VERDICT_ERROR;
	const char *reason = test->death_reason;

	if (!reason)
		reason = test->ended ? "declared but never judged" :
			 "the case ended without a verdict";
	for_list(const char *, clause, &test->declared)
		if (!case_find_leaf(test, clause))
			case_add_leaf(test, clause, verdict, reason);
}

struct outcome {
	bool bad;
	bool judged;
	bool skipped;
};

static struct outcome outcome_of(const struct test_case *test)
{
	struct outcome outcome = { 0 };

	for_list(struct leaf *, leaf, &test->leaves) {
		outcome.bad |= verdict_is_bad(leaf->verdict);
		outcome.skipped |= verdict_is_skip(leaf->verdict);
		outcome.judged |= leaf->verdict != VERDICT_SKIP;
	}
	return outcome;
}

static const char *disagreement(const struct test_case *test)
{
	struct outcome outcome = outcome_of(test);

	switch (test->result) {
	case RESULT_NONE:
		return test->death || test->cut_off || !test->ended ? NULL :
		       "the program's KTAP has no line for this case";
	case RESULT_OK:
		if (outcome.bad)
			return "the program's KTAP says ok, its records do not";
		return outcome.judged ? NULL :
		       "the program's KTAP says ok, its records judge nothing";
	case RESULT_NOT_OK:
		return outcome.bad ? NULL :
		       "the program's KTAP says not ok, its records do not";
	case RESULT_SKIP:
		return outcome.skipped && !outcome.bad ? NULL :
		       "the program's KTAP says SKIP, its records do not";
	}
	return NULL;
}

void case_judge(struct test_case *test)
{
	const char *wrong;

	if (test->judged)
		return;
	for_list(struct leaf *, leaf, &test->leaves)
		compare_with_checks(leaf, test);
	judge_open_clauses(test);
	if (!test->leaves.count)
		case_add_leaf(test, CLAUSE_RUN, test->death ?: VERDICT_ERROR,
			      test->death_reason ?: "the case judged nothing");
	wrong = disagreement(test);
	if (wrong)
		case_add_leaf(test, CLAUSE_KTAP, VERDICT_ERROR, wrong);
	if (test->twice)
		case_add_leaf(test, CLAUSE_RUN, VERDICT_ERROR,
			      "the case was begun twice: names must be unique");
	test->judged = true;
}

void job_add_leaf(struct job *job, enum verdict verdict, const char *reason)
{
	struct test_case *test = job_add_case(job, CASE_OF_RUN);

	case_add_leaf(test, CLAUSE_RUN, verdict, reason);
	test->run_over = true;
	test->judged = true;
}

bool job_is_complete(const struct job *job)
{
	if (!job->planned)
		return false;
	for_list(struct test_case *, test, &job->cases)
		if (!test->started && !test->judged && !test->excluded)
			return false;
	return true;
}

static void close_case(struct test_case *test, const char *why)
{
	if (test->judged || test->excluded)
		return;
	if (!test->started && !test->death_reason)
		test->death_reason = memory_print("never ran: %s", why);
	test->run_over = true;
	case_judge(test);
}

void job_close(struct job *job, const char *why)
{
	if (job->state == JOB_OVER)
		return;
	if (!job->planned && !job->cases.count) {
		if (job->skip_reason)
			job_add_leaf(job, VERDICT_SKIP, job->skip_reason);
		else
			job_add_leaf(job, VERDICT_ERROR, why);
	}
	for_list(struct test_case *, test, &job->cases)
		close_case(test, why);
	job->state = JOB_OVER;
}

static bool is_said_before(const json_t *entries, size_t count,
			   const char *reason)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(text_member(json_array_get(entries, i), "reason",
					""), reason))
			return true;
	return false;
}

/* Nothing of the program was meant for the pair; each reason once. */
static const char *why_not_applicable(const struct job *job)
{
	const char *why = "no case applies to this pair";
	json_t *entry;
	size_t i;

	json_array_foreach(job->inapplicable, i, entry) {
		const char *reason = text_member(entry, "reason", "");

		if (!is_said_before(job->inapplicable, i, reason))
			why = memory_print("%s%s %s", why, i ? ";" : ":",
					   reason);
	}
	return why;
}

void pair_close(struct pair *pair)
{
	for_list(struct job *, any, &pair->jobs)
		for_list(struct test_case *, test, &any->cases)
			if (test->leaves.count)
				return;

	for_list(struct job *, job, &pair->jobs)
		if (json_array_size(job->inapplicable))
			job_add_leaf(job, VERDICT_SKIP,
				     why_not_applicable(job));
		else
			job_add_leaf(job, VERDICT_ERROR, "the program has no case");
}

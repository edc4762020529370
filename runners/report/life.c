// SPDX-License-Identifier: GPL-2.0-only
#include "report/life.h"

#include <stdio.h>
#include <string.h>

#include "report/judge.h"
#include "stream/text.h"

/* How often a job may die outside any case before it is given up. */
#define TRIES_MAX	2

struct job *life_job_of(struct run *run, const json_t *record)
{
	int number = json_integer_value(json_object_get(record, "job"));
	struct job *job = run_find_job(run, number);
	const char *type = text_member(record, "type", "?");

	if (!job) {
		run_complain(run, "a %s record of job %d, which is not "
			     "scheduled", type, number);
		return NULL;
	}
	if (job->state == JOB_OVER) {
		run_complain(run, "a %s record of job %d after its end", type,
			     number);
		return NULL;
	}
	return job;
}

static bool is_open(const struct test_case *test)
{
	return test->started && !test->ended && !test->judged && !test->death;
}

/* Returns whether a case was running. */
static bool end_running_cases(struct job *job, enum verdict verdict,
			      const char *reason)
{
	bool hit = false;

	for_list(struct test_case *, test, &job->cases) {
		if (!is_open(test))
			continue;
		test->death = verdict;
		test->death_reason = memory_copy(reason);
		hit = true;
	}
	return hit;
}

static void mark_run_over(struct job *job, bool cut_off)
{
	for_list(struct test_case *, test, &job->cases) {
		if (!test->started || test->run_over)
			continue;
		test->run_over = true;
		test->cut_off = cut_off;
	}
}

static void close_others(struct run *run, const struct job *begun)
{
	for_list(struct job *, job, &run->jobs)
		if (job != begun && job->source == begun->source &&
		    (job->state == JOB_RUNNING || job->state == JOB_PAUSED))
			job_close(job, "its program was brought down before");
}

static void exclude_cases(struct job *job, const json_t *record)
{
	json_t *name;
	size_t i;

	json_array_foreach(json_object_get(record, "exclude"), i, name) {
		struct test_case *test =
			job_add_case(job, json_string_value(name) ?: "?");

		test->excluded = !test->started && !test->judged;
	}
}

static void begin_job(struct run *run, struct job *job, const json_t *record)
{
	job->source = run->source;
	close_others(run, job);
	exclude_cases(job, record);
	job->state = JOB_RUNNING;
	run->source->current = job;
	run->source->current_case = NULL;
	run->jobs_begun++;
}

struct ending {
	enum verdict verdict;
	const char *reason;
	bool by_itself;
};

static struct ending ending_of(const json_t *record)
{
	json_t *number = json_object_get(record, "signal");

	if (json_object_get(record, "error"))
		return (struct ending){ VERDICT_ERROR,
			text_member(record, "error", "?"), false };
	if (json_object_get(record, "stuck"))
		return (struct ending){ VERDICT_TIMEOUT,
			"it could not be ended: its guest or machine was given up",
			false };
	if (json_object_get(record, "timeout"))
		return (struct ending){ VERDICT_TIMEOUT,
			"silent for too long: ended by the runner", false };
	if (number)
		return (struct ending){ VERDICT_CRASH, memory_print(
			"the program was ended by signal %s (%lld)",
			strsignal(json_integer_value(number)),
			json_integer_value(number)), false };
	return (struct ending){ VERDICT_ERROR, memory_print(
		"the program ended with exit status %lld before it",
		json_integer_value(json_object_get(record, "exit"))), true };
}

static void end_by_itself(struct job *job, const json_t *record,
			  const struct ending *ending)
{
	const char *why = ending->reason;

	if (!job->planned)
		why = memory_print("the program wrote no plan (exit status "
				   "%lld)", json_integer_value(
				   json_object_get(record, "exit")));
	job_close(job, why);
}

static void end_job(struct run *run, struct job *job, const json_t *record)
{
	struct ending ending = ending_of(record);
	bool hit;

	run->source->current = NULL;
	run->source->current_case = NULL;
	if (json_object_get(record, "stopped")) {
		job->state = JOB_PAUSED;
		return;
	}
	mark_run_over(job, !ending.by_itself);
	if (ending.by_itself) {
		end_by_itself(job, record, &ending);
		return;
	}
	hit = end_running_cases(job, ending.verdict, ending.reason);
	if (!hit && !json_object_get(record, "again"))
		job_add_leaf(job, ending.verdict, ending.reason);
	if (job_is_complete(job) || (!hit && !job->planned))
		job_close(job, ending.reason);
	else
		job->state = JOB_PAUSED;
}

void life_job(struct run *run, json_t *record)
{
	struct job *job = life_job_of(run, record);

	if (!job)
		return;
	if (!strcmp(text_member(record, "state", ""), "start"))
		begin_job(run, job, record);
	else
		end_job(run, job, record);
}

static void begin_case(struct run *run, struct test_case *test,
		       const json_t *record)
{
	/* Its place in the KTAP is passed. */
	if (test->excluded) {
		run_complain(run, "job %d: case %s began, which was to be left out",
			     test->job->number, test->name);
		return;
	}
	if (test->judged || test->started) {
		if (test->judged)
			job_add_leaf(test->job, VERDICT_ERROR, memory_print(
				"case %s was begun twice", test->name));
		test->twice = true;
		return;
	}
	test->started = true;
	test->start_ns = json_integer_value(json_object_get(record, "time_ns"));
	run->source->current_case = test;
}

static void end_case(struct run *run, struct test_case *test,
		     const json_t *record)
{
	if (!test->started)
		run_complain(run, "job %d: case %s ended before it began",
			     test->job->number, test->name);
	test->ended = true;
	test->end_ns = json_integer_value(json_object_get(record, "time_ns"));
	if (run->source->current_case == test)
		run->source->current_case = NULL;
}

void life_case(struct run *run, json_t *record)
{
	struct job *job = life_job_of(run, record);
	const char *name = text_member(record, "case", NULL);
	struct test_case *test;

	if (!job || !name)
		return;
	test = job_find_case(job, name);
	if (!test) {
		run_complain(run, "job %d: case %s is not in the plan",
			     job->number, name);
		test = job_add_case(job, name);
	}
	if (!strcmp(text_member(record, "state", ""), "start"))
		begin_case(run, test, record);
	else
		end_case(run, test, record);
}

/* The last word counts; but what the user did explains what others say. */
static void cut_short(struct run *run, const char *why)
{
	if (!run_was_interrupted(run))
		run->cut_short = why;
}

/* The ground went from under the job that was running. */
static void bring_down(struct run *run, enum verdict verdict,
		       const char *reason)
{
	struct job *job = run->source->current;

	run->source->current = NULL;
	run->source->current_case = NULL;
	if (!job)
		return;
	mark_run_over(job, true);
	if (!end_running_cases(job, verdict, reason) &&
	    ++job->tries >= TRIES_MAX) {
		job_add_leaf(job, verdict, memory_print(
			     "again, outside any case: %s", reason));
		job_close(job, reason);
	} else if (job_is_complete(job)) {
		job_close(job, reason);
	} else {
		job->state = JOB_PAUSED;
	}
}

/* A case that the user interrupted has not been tried. */
static void forget_case(struct job *job)
{
	for_list(struct test_case *, test, &job->cases) {
		if (!is_open(test))
			continue;
		test->started = false;
		test->leaves.count = 0;
		test->checks.count = 0;
	}
	mark_run_over(job, true);
}

/* What was done of it stays; the rest is for later. */
static void pause_job(struct run *run, struct job *job)
{
	run->source->current = NULL;
	run->source->current_case = NULL;
	if (!job)
		return;
	forget_case(job);
	if (job_is_complete(job))
		job_close(job, "interrupted");
	else
		job->state = JOB_PAUSED;
}

/* What a guest's end means for the case that ran. */
static enum verdict verdict_of_end(const char *event)
{
	if (!strcmp(event, "hang"))
		return VERDICT_TIMEOUT;
	/* The bench broke, and nothing that is judged. */
	if (!strcmp(event, "nic-lost"))
		return VERDICT_ERROR;
	return VERDICT_CRASH;
}

void life_guest(struct run *run, json_t *record)
{
	const char *event = text_member(record, "event", "?");
	const char *reason = text_member(record, "reason", NULL);
	struct source *source = run->source;
	enum verdict verdict = verdict_of_end(event);

	if (source->number)
		json_object_set_new(record, "guest",
				    json_integer(source->number));
	json_array_append(run->guests, record);
	if (!strcmp(event, "start"))
		return;
	source->gone = true;
	if (source->ended)
		return;
	if (!strcmp(event, "interrupted")) {
		cut_short(run, memory_print("interrupted: %s", reason ?: ""));
		pause_job(run, run->source->current);
		return;
	}
	if (!reason || !*reason)
		reason = verdict == VERDICT_TIMEOUT ? "the guest hung" :
			 "the guest died";
	cut_short(run, memory_copy(reason));
	bring_down(run, verdict, reason);
}

static struct test_case *last_begun(const struct job *job)
{
	struct test_case *last = NULL;

	for_list(struct test_case *, test, &job->cases)
		if (test->started && (!last || test->start_ns >= last->start_ns))
			last = test;
	return last;
}

/* What was running when the ground went is the case that was begun last. */
static void blame_case(struct job *job, enum verdict verdict, const char *text)
{
	struct test_case *test = last_begun(job);

	if (test && is_open(test)) {
		test->death = verdict;
		test->death_reason = memory_copy(text);
	} else if (verdict == VERDICT_CRASH) {
		job_add_leaf(job, VERDICT_CRASH, !test ? text :
			     memory_print("%s (after case %s)", text,
					  test->name));
	}
	mark_run_over(job, true);
}

/* VERDICT_NONE: by the user, which is nobody's fault. */
static enum verdict verdict_of_stop(const char *why)
{
	if (!strcmp(why, "oops"))
		return VERDICT_CRASH;
	return strcmp(why, "nic") ? VERDICT_NONE : VERDICT_ERROR;
}

void life_interrupted(struct run *run, json_t *record)
{
	enum verdict verdict = verdict_of_stop(text_member(record, "why", ""));
	const char *text = text_member(record, "text", "?");
	struct job *job = life_job_of(run, record);

	cut_short(run, memory_print("%s%s", verdict == VERDICT_NONE ?
				    "interrupted: " : "", text));
	if (verdict == VERDICT_NONE) {
		pause_job(run, job);
		return;
	}
	run->source->current = NULL;
	run->source->current_case = NULL;
	if (!job)
		return;
	blame_case(job, verdict, text);
	if (job_is_complete(job))
		job_close(job, text);
	else
		job->state = JOB_PAUSED;
}

void life_finish(struct run *run)
{
	const char *why = run->cut_short ?: "the stream ended";

	for_list(struct job *, job, &run->jobs)
		job_close(job, memory_print(job->cases.count ? "%s" :
					    "never ran: %s", why));
}

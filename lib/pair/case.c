// SPDX-License-Identifier: GPL-2.0-only
/* The case that is running: its checks, and the verdict on each clause. */
#include "pair/case.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clause/law.h"
#include "oracle/klog.h"
#include "pair/kernel.h"
#include "pair/program.h"

#define DETAIL_SIZE	240

#define SITES_MAX	256

/* Where a check stands and of what, as far as it passed. */
struct passed_site {
	enum clause_id clause;
	const char *file;
	int line;
};

struct judgement {
	enum verdict verdict;
	char detail[DETAIL_SIZE];
};

/* A case runs in a process of its own, so one is enough. */
static struct {
	const struct clause_test *test;
	struct pair *pair;
	const int *exit_code;
	struct judgement judgements[CASE_CLAUSES_MAX];
	enum verdict rest;	/* of clauses without a check, once aborted */
	char rest_detail[DETAIL_SIZE];
	struct passed_site passed[SITES_MAX];
	size_t passed_count;
	bool failed;
	bool ended;
} current;

static json_int_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (json_int_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void record_state(const char *state)
{
	record_write(json_pack("{s:s s:s s:s s:I}", "type", "case",
			       "case", current.test->name, "state", state,
			       "time_ns", now_ns()));
}

static struct judgement *find_judgement(enum clause_id clause)
{
	for (size_t i = 0; i < current.test->clause_count; i++)
		if (current.test->clauses[i] == clause)
			return &current.judgements[i];

	fprintf(stderr, "%s: checks %s, which it does not declare\n",
		current.test->name, clause_get(clause)->id);
	abort();
}

void case_begin(const char *name, struct pair *pair, const int *exit_code)
{
	memset(&current, 0, sizeof(current));
	current.test = program_find_test(name);
	current.pair = pair;
	current.exit_code = exit_code;
	record_state("start");
	klog_rearm();
	klog_begin();
}

bool case_has_begun(void)
{
	return current.test;
}

int case_exit_code(void)
{
	return current.exit_code ? *current.exit_code : EXIT_FAILURE;
}

/* A broken rule weighs what the clause says it weighs on this kernel. */
static enum verdict broken_verdict(enum clause_id clause)
{
	static const enum verdict verdicts[] = {
		[STRENGTH_NONE] = VERDICT_SKIP,
		[STRENGTH_MAY] = VERDICT_VALUE,
		[STRENGTH_SHOULD] = VERDICT_WARN,
		[STRENGTH_MUST] = VERDICT_FAIL,
	};

	return verdicts[clause_strength(clause)];
}

/*
 * Loops check the same thing hundreds of times. That it passed again is no
 * news, and to hand it on takes an emulated guest longer than the check. Once
 * the table is full all is told.
 */
static bool passed_before(enum clause_id clause, const struct check_site *site)
{
	for (size_t i = 0; i < current.passed_count; i++)
		if (current.passed[i].clause == clause &&
		    current.passed[i].line == site->line &&
		    !strcmp(current.passed[i].file, site->file))
			return true;
	if (current.passed_count < SITES_MAX)
		current.passed[current.passed_count++] = (struct passed_site){
			clause, site->file, site->line,
		};
	return false;
}

static void judge(enum clause_id clause, enum verdict verdict,
		  const struct check_site *site, const char *detail)
{
	struct judgement *judgement = find_judgement(clause);

	if (verdict > judgement->verdict) {
		judgement->verdict = verdict;
		snprintf(judgement->detail, sizeof(judgement->detail), "%s%s%s",
			 site ? site->expression : "",
			 site && *detail ? ": " : "", detail);
	}
	if (verdict == VERDICT_FAIL || verdict == VERDICT_ERROR)
		current.failed = true;
	if (verdict == VERDICT_PASS && site && passed_before(clause, site))
		return;

	record_write(json_pack("{s:s s:s s:s s:s s:s s:s s:s s:i}",
			       "type", "check", "case", current.test->name,
			       "clause", clause_get(clause)->id,
			       "verdict", verdict_name(verdict),
			       "expression", site ? site->expression : "",
			       "detail", detail,
			       "file", site ? site->file : "",
			       "line", site ? site->line : 0));
}

bool case_check(enum clause_id clause, bool good, const struct check_site *site,
		const char *format, ...)
{
	enum verdict verdict = good ? VERDICT_PASS : broken_verdict(clause);
	char detail[DETAIL_SIZE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(detail, sizeof(detail), format, arguments);
	va_end(arguments);

	judge(clause, verdict, site, detail);
	if (verdict > VERDICT_PASS)
		printf("# %s:%d: %s %s: %s%s%s\n", site->file, site->line,
		       verdict_name(verdict), clause_get(clause)->id,
		       site->expression, *detail ? ": " : "", detail);
	return current.failed;
}

void case_note(enum clause_id clause, enum verdict verdict,
	       const char *format, ...)
{
	char detail[DETAIL_SIZE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(detail, sizeof(detail), format, arguments);
	va_end(arguments);

	judge(clause, verdict, NULL, detail);
	printf("# %s %s: %s\n", verdict_name(verdict), clause_get(clause)->id,
	       detail);
}

void case_abort(enum verdict verdict, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(current.rest_detail, sizeof(current.rest_detail), format,
		  arguments);
	va_end(arguments);

	current.rest = verdict;
	printf("# %s: %s\n", verdict_name(verdict), current.rest_detail);
}

/* The back end that a clause obliges, or NULL if it obliges the kernel. */
static const struct backend *obliged(enum party party)
{
	switch (party) {
	case PARTY_EXPORTER:
		return &current.pair->exporter.backend;
	case PARTY_IMPORTER:
	case PARTY_NIC:
		return &current.pair->importer.backend;
	default:
		return NULL;
	}
}

/* Whom a clause obliges decides who is judged by its verdict. */
static json_t *subject_of(enum party party)
{
	const struct backend *backend = obliged(party);
	const char *core = party == PARTY_RDMA_CORE ? "ib_core" : "dma-buf";

	if (!backend)
		return json_pack("{s:s s:s s:s s:s s:b}",
				 "role", party_name(party), "name", core,
				 "driver", core,
				 "version", kernel_release(),
				 "ours", 0);
	return json_pack("{s:s s:s s:s s:s s:b}",
			 "role", party_name(party), "name", backend->selector,
			 "driver", backend->driver, "version", backend->version,
			 "ours", backend->ours);
}

/* Why a rule is none on this kernel, in the words of the table. */
static const char *why_no_rule(const struct clause *clause)
{
	const struct clause_when *when = NULL;

	while ((when = clause_when_next(clause, when)))
		if (when->strength == STRENGTH_NONE &&
		    when->value == law_value(when->feature))
			return when->text;
	return "Whether this kernel has such a rule is not known.";
}

static void record_verdict(const char *clause, const char *strength,
			   json_t *law, json_t *subject,
			   const struct judgement *judgement)
{
	bool value = judgement->verdict == VERDICT_VALUE;

	record_write(json_pack("{s:s s:s s:s s:s s:s s:o s:o s:s s:s}",
			       "type", "verdict", "case", current.test->name,
			       "clause", clause,
			       "verdict", verdict_name(judgement->verdict),
			       "strength", strength, "law", law,
			       "subject", subject,
			       "value", value ? judgement->detail : "",
			       "reason", value ? "" : judgement->detail));
}

/* A case that broke off may have meant to judge more of what it passed. */
static void settle(enum clause_id id, struct judgement *judgement)
{
	if (clause_strength(id) == STRENGTH_NONE) {
		judgement->verdict = VERDICT_SKIP;
		snprintf(judgement->detail, sizeof(judgement->detail),
			 "no such rule here: %s", why_no_rule(clause_get(id)));
	} else if (judgement->verdict == VERDICT_NONE ||
		   (current.rest == VERDICT_ERROR &&
		    judgement->verdict < VERDICT_ERROR)) {
		judgement->verdict = current.rest ?: VERDICT_ERROR;
		snprintf(judgement->detail, sizeof(judgement->detail), "%s",
			 current.rest ? current.rest_detail :
			 "declared but never judged");
	}
}

static void finish_clause(enum clause_id id, struct judgement *judgement)
{
	enum strength strength = clause_strength(id);
	const struct clause *clause = clause_get(id);

	settle(id, judgement);
	if (judgement->verdict == VERDICT_ERROR)
		current.failed = true;
	record_verdict(clause->id, strength_name(strength),
		       clause_law(id), subject_of(clause->party), judgement);
}

/* The kernel's log counts as a clause of its own, but only when broken. */
static void judge_kernel_log(const struct judgement *judgement)
{
	current.failed = true;
	printf("# kernel log: %s\n", judgement->detail);
	record_verdict("KLOG", strength_name(STRENGTH_MUST), json_array(),
		       subject_of(PARTY_CORE), judgement);
}

bool case_judged(void)
{
	for (size_t i = 0; i < current.test->clause_count; i++)
		if (current.judgements[i].verdict > VERDICT_SKIP)
			return true;
	return false;
}

bool case_end(void)
{
	struct judgement log = { .verdict = VERDICT_FAIL };
	bool complains;

	if (current.ended)
		return current.failed;

	current.ended = true;
	complains = klog_end(log.detail, sizeof(log.detail));
	record_gather();
	for (size_t i = 0; i < current.test->clause_count; i++)
		finish_clause(current.test->clauses[i], &current.judgements[i]);
	if (complains)
		judge_kernel_log(&log);
	record_state("end");
	record_flush();
	return current.failed;
}

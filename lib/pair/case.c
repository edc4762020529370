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

#define LAW_TEXT_SIZE	80

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

static long long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void record_state(const char *state)
{
	struct record_writer record;

	if (!record_begin(&record, "case"))
		return;
	writer_text(&record, "case", current.test->name);
	writer_text(&record, "state", state);
	writer_integer(&record, "time_ns", now_ns());
	record_end(&record);
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
	record_ring();
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

static void record_check(enum clause_id clause, enum verdict verdict,
			 const struct check_site *site, const char *detail)
{
	struct record_writer record;

	if (!record_begin(&record, "check"))
		return;
	writer_text(&record, "case", current.test->name);
	writer_text(&record, "clause", clause_get(clause)->id);
	writer_text(&record, "verdict", verdict_name(verdict));
	writer_text(&record, "expression", site ? site->expression : "");
	writer_text(&record, "detail", detail);
	writer_text(&record, "file", site ? site->file : "");
	writer_integer(&record, "line", site ? site->line : 0);
	record_end(&record);
	if (verdict > VERDICT_REFUSED)
		record_ring();
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

	record_check(clause, verdict, site, detail);
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
static void write_subject(struct record_writer *record, enum party party)
{
	const struct backend *backend = obliged(party);
	const char *core = party == PARTY_RDMA_CORE ? "ib_core" : "dma-buf";

	writer_open(record, "subject", '{');
	writer_text(record, "role", party_name(party));
	writer_text(record, "name", backend ? backend->selector : core);
	writer_text(record, "driver", backend ? backend->driver : core);
	writer_text(record, "version",
		    backend ? backend->version : kernel_release());
	writer_boolean(record, "ours", backend && backend->ours);
	writer_close(record, '}');
}

/* What the present law says of the features that the verdict stands on. */
static void write_law(struct record_writer *record,
		      const enum law_feature *features, size_t count)
{
	char text[LAW_TEXT_SIZE];

	writer_open(record, "law", '[');
	for (size_t i = 0; i < count; i++) {
		snprintf(text, sizeof(text), "%s=%s", law_name(features[i]),
			 law_value_name(law_value(features[i])));
		writer_text(record, NULL, text);
	}
	writer_close(record, ']');
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

/* What a verdict is on. */
struct ground {
	const char *clause;
	enum strength strength;
	enum party party;
	enum law_feature features[LAW_COUNT];
	size_t feature_count;
};

static void record_verdict(const struct ground *ground,
			   const struct judgement *judgement)
{
	bool value = judgement->verdict == VERDICT_VALUE;
	struct record_writer record;

	if (!record_begin(&record, "verdict"))
		return;
	writer_text(&record, "case", current.test->name);
	writer_text(&record, "clause", ground->clause);
	writer_text(&record, "verdict", verdict_name(judgement->verdict));
	writer_text(&record, "strength", strength_name(ground->strength));
	write_law(&record, ground->features, ground->feature_count);
	write_subject(&record, ground->party);
	writer_text(&record, "value", value ? judgement->detail : "");
	writer_text(&record, "reason", value ? "" : judgement->detail);
	record_end(&record);
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
	const struct clause *clause = clause_get(id);
	struct ground ground = {
		.clause = clause->id,
		.strength = clause_strength(id),
		.party = clause->party,
	};

	settle(id, judgement);
	if (judgement->verdict == VERDICT_ERROR)
		current.failed = true;
	ground.feature_count = clause_features(id, ground.features);
	record_verdict(&ground, judgement);
}

/* The kernel's log counts as a clause of its own, but only when broken. */
static void judge_kernel_log(const struct judgement *judgement)
{
	static const struct ground ground = {
		.clause = "KLOG",
		.strength = STRENGTH_MUST,
		.party = PARTY_CORE,
	};

	current.failed = true;
	printf("# kernel log: %s\n", judgement->detail);
	record_verdict(&ground, judgement);
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
	if (current.failed)
		record_ring();
	return current.failed;
}

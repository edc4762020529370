// SPDX-License-Identifier: GPL-2.0-only
#include "monitor/report.h"

#include <stdlib.h>
#include <string.h>

#include "clause/law.h"
#include "monitor/symbols.h"

#define NOT_JUDGED	125
/* Lines of a call chain. */
#define CHAIN_MAX	10

void report_prepare(struct report *report)
{
	const struct watch_lost *lost = &report->loss.lost;

	for (int i = 0; i < WATCH_PAIRS; i++) {
		report->counts[i].tally.broken[WATCH_INV_04_a] +=
			report->left.overdue[i];
		report->counts[i].tally.checked[WATCH_INV_04_a] +=
			report->left.overdue[i];
		if (report->counts[i].known)
			outcome_name_ends(&report->counts[i].pair,
					  &report->ends[i]);
		else
			strcpy(report->ends[i].exporter, "others");
	}
	memcpy(report->spoiled.calls, report->loss.missed,
	       sizeof(report->spoiled.calls));
	report->spoiled.unknown = report->loss.missed_others + lost->returns;
	report->spoiled.strange = lost->strange;
	report->spoiled.histories = lost->attachments + lost->buffers +
				    lost->mappings;
}

/* Over all pairs: the worst verdict, with the counts of all. */
static void sum_up(const struct report *report, enum watch_check check,
		   struct outcome *all)
{
	struct watch_tally *sum = calloc(1, sizeof(*sum));

	memset(all, 0, sizeof(*all));
	if (!sum)
		return;
	for (int i = 0; i < WATCH_PAIRS; i++) {
		sum->checked[check] += report->counts[i].tally.checked[check];
		sum->broken[check] += report->counts[i].tally.broken[check];
	}
	outcome_judge(check, sum, &report->spoiled, all);
	free(sum);
}

static void put_ends(FILE *out, const struct outcome_ends *ends)
{
	fprintf(out, "%s", ends->exporter);
	if (strcmp(ends->exporter, ends->exporter_driver))
		fprintf(out, " (%s)", ends->exporter_driver);
	if (*ends->importer)
		fprintf(out, " with %s", ends->importer);
	if (*ends->device && strcmp(ends->device, ends->importer))
		fprintf(out, " (%s)", ends->device);
}

static void put_event(FILE *out, const struct report *report,
		      enum watch_check check, const struct watch_event *event)
{
	char name[SYMBOL_SIZE];

	fprintf(out, "# %s: %s by %.*s[%u], ",
		clause_get(outcome_clause(check))->id,
		findings_function(event->function), WATCH_COMM_SIZE,
		event->comm, event->pid);
	put_ends(out, &report->ends[event->pair % WATCH_PAIRS]);
	fprintf(out, ": %u pins, %u mappings\n", event->pins, event->mapped);
	for (int i = 0; i < CHAIN_MAX && findings_chain(event, i, name); i++)
		fprintf(out, "#     %s\n", name);
}

static void put_findings(FILE *out, const struct report *report,
			 enum watch_check check)
{
	const struct findings *findings = &report->findings;

	for (unsigned int i = 0; i < findings->counts[check]; i++)
		put_event(out, report, check, &findings->events[check][i]);
}

static void put_clause(FILE *out, const struct report *report, int number,
		       enum watch_check check)
{
	const struct clause *clause = clause_get(outcome_clause(check));
	struct outcome outcome;

	sum_up(report, check, &outcome);
	put_findings(out, report, check);
	if (outcome.verdict == VERDICT_PASS)
		fprintf(out, "# checked %llu times\n", outcome.checked);
	else if (outcome.verdict != VERDICT_SKIP &&
		 outcome.verdict != VERDICT_ERROR)
		fprintf(out, "# %s: %s\n", verdict_name(outcome.verdict),
			outcome.reason);
	fprintf(out, "%s %d %s", outcome.verdict == VERDICT_FAIL ||
		outcome.verdict == VERDICT_ERROR ? "not ok" : "ok", number,
		clause->id);
	if (outcome.verdict == VERDICT_SKIP)
		fprintf(out, " # SKIP %s", outcome.reason);
	else if (outcome.verdict == VERDICT_ERROR)
		fprintf(out, " # ERROR %s", outcome.reason);
	fprintf(out, "\n");
}

static void put_pairs(FILE *out, const struct report *report)
{
	for (int i = 0; i < WATCH_PAIRS; i++) {
		if (!report->counts[i].known)
			continue;
		fprintf(out, "# seen: ");
		put_ends(out, &report->ends[i]);
		fprintf(out, "\n");
		if (report->counts[i].tally.loose_maps)
			fprintf(out, "# recorded: it mapped %llu times with "
				"neither a pin nor a callback for notices\n",
				(unsigned long long)
				report->counts[i].tally.loose_maps);
		if (report->counts[i].tally.pinned_notices)
			fprintf(out, "# recorded: it was given %llu notices "
				"while pinned, which mean nothing on this "
				"kernel unless they revoke\n",
				(unsigned long long)
				report->counts[i].tally.pinned_notices);
	}
}

static unsigned long long all_missed(const struct probes_loss *loss)
{
	unsigned long long missed = loss->missed_others;

	for (int i = 0; i < WATCH_FN_COUNT; i++)
		missed += loss->missed[i];
	return missed;
}

static void put_missed(const struct probes_loss *loss, FILE *out)
{
	for (int i = 0; i < WATCH_FN_COUNT; i++)
		if (loss->missed[i])
			fprintf(out, "# missed: %llu of %s\n", loss->missed[i],
				findings_function(i));
}

static void put_loss(FILE *out, const struct report *report,
		     const struct probes *probes)
{
	const struct watch_lost *lost = &report->loss.lost;
	const char *name;

	fprintf(out, "# calls are seen by %s\n", probes_way(probes));
	for (size_t i = 0; (name = probes_why_not(probes, i)); i++)
		fprintf(out, "# not by %s\n", name);
	for (size_t i = 0; (name = probes_unseen(probes, i)); i++)
		fprintf(out, "# not seen here: %s()\n", name);
	if (!law_is(LAW_MOVES_WHILE_MAPPED))
		fprintf(out, "# on this kernel a mapping pins: notices reach nobody "
			"who has anything mapped\n");
	put_missed(&report->loss, out);
	fprintf(out, "# lost: %llu calls, %llu attachments, %llu buffers, "
		"%llu mappings, %llu pairs; details of %llu findings, %llu "
		"lines of the live view\n",
		all_missed(&report->loss), lost->attachments, lost->buffers,
		lost->mappings, lost->pairs, lost->details, lost->lines);
	if (lost->returns)
		fprintf(out, "# lost: what was passed to %llu calls\n",
			lost->returns);
	if (lost->strange)
		fprintf(out, "# %llu buffers and attachments are not what the types "
			"say: those are of another kernel\n", lost->strange);
}

void report_ktap(const struct report *report, const struct probes *probes,
		 FILE *out)
{
	fprintf(out, "KTAP version 1\n1..%d\n", WATCH_COUNT);
	put_pairs(out, report);
	for (int check = 0; check < WATCH_COUNT; check++)
		put_clause(out, report, check + 1, check);
	left_print(&report->left, out);
	put_loss(out, report, probes);
}

static json_t *chain_of(const struct watch_event *event)
{
	json_t *chain = json_array();
	char name[SYMBOL_SIZE];

	for (int i = 0; findings_chain(event, i, name); i++)
		json_array_append_new(chain, json_string(name));
	return chain;
}

static void record_finding(const struct report *report, enum watch_check check,
			   const struct watch_event *event)
{
	const struct outcome_ends *ends =
		&report->ends[event->pair % WATCH_PAIRS];
	struct outcome outcome;

	sum_up(report, check, &outcome);
	record_write(json_pack("{s:s s:s s:s s:s s:s s:s s:s s:s s:s s:i s:o}",
		"type", "check", "case", report->name,
		"clause", clause_get(outcome_clause(check))->id,
		"verdict", verdict_name(outcome.verdict),
		"expression", findings_function(event->function),
		"exporter", ends->exporter, "importer", ends->importer,
		"device", ends->device, "process", event->comm,
		"pid", event->pid, "chain", chain_of(event)));
}

static void record_findings(const struct report *report, enum watch_check check)
{
	const struct findings *findings = &report->findings;

	for (unsigned int i = 0; i < findings->counts[check]; i++)
		record_finding(report, check, &findings->events[check][i]);
}

static void record_verdict(const struct report *report,
			   const struct outcome *outcome,
			   const struct outcome_ends *ends,
			   enum watch_check check)
{
	bool value = outcome->verdict == VERDICT_VALUE;
	enum clause_id id = outcome_clause(check);

	record_write(json_pack("{s:s s:s s:s s:s s:s s:o s:o s:s s:s s:s s:s s:s s:I s:I}",
		"type", "verdict", "case", report->name,
		"clause", clause_get(id)->id,
		"verdict", verdict_name(outcome->verdict),
		"strength", strength_name(clause_strength(id)),
		"law", clause_law(id), "subject", outcome_subject(check, ends),
		"value", value ? outcome->reason : "",
		"reason", value ? "" : outcome->reason,
		"exporter", ends->exporter, "importer", ends->importer,
		"device", ends->device,
		"checked", (json_int_t)outcome->checked,
		"broken", (json_int_t)outcome->broken));
}

static void record_pairs(const struct report *report, enum watch_check check)
{
	struct outcome outcome;

	for (int pair = 0; pair < WATCH_PAIRS; pair++) {
		outcome_judge(check, &report->counts[pair].tally,
			      &report->spoiled, &outcome);
		if (outcome.checked)
			record_verdict(report, &outcome, &report->ends[pair],
				       check);
	}
}

void report_records(const struct report *report)
{
	if (!record_enabled())
		return;
	record_gather();
	for (int check = 0; check < WATCH_COUNT; check++) {
		record_findings(report, check);
		record_pairs(report, check);
	}
	record_flush();
}

/* The pair that a verdict on all of them is about: the one that is worst. */
static int worst_pair(const struct report *report, enum watch_check check)
{
	struct outcome outcome;
	int worst = 0;
	enum verdict verdict = VERDICT_NONE;

	for (int pair = 0; pair < WATCH_PAIRS; pair++) {
		outcome_judge(check, &report->counts[pair].tally,
			      &report->spoiled, &outcome);
		if (!outcome.checked || outcome.verdict <= verdict)
			continue;
		verdict = outcome.verdict;
		worst = pair;
	}
	return worst;
}

static void record_state(const struct report *report, const char *state)
{
	record_write(json_pack("{s:s s:s s:s}", "type", "case",
			       "case", report->name, "state", state));
}

static void record_plan(const struct report *report, const char *program)
{
	json_t *clauses = json_array();
	struct outcome outcome;

	for (int check = 0; check < WATCH_COUNT; check++) {
		sum_up(report, check, &outcome);
		if (outcome.checked)
			json_array_append_new(clauses, json_string(
				clause_get(outcome_clause(check))->id));
	}
	record_write(json_pack("{s:s s:s s:[{s:s s:o}]}", "type", "plan",
			       "program", program, "cases",
			       "case", report->name, "clauses", clauses));
}

void report_case(const struct report *report, const char *program, FILE *out)
{
	int status = report_status(report);
	struct outcome outcome;

	if (status == NOT_JUDGED)
		return;
	record_gather();
	record_plan(report, program);
	record_state(report, "start");
	for (int check = 0; check < WATCH_COUNT; check++) {
		sum_up(report, check, &outcome);
		if (!outcome.checked)
			continue;
		put_findings(out, report, check);
		record_findings(report, check);
		record_verdict(report, &outcome,
			       &report->ends[worst_pair(report, check)], check);
	}
	record_state(report, "end");
	record_flush();
	/* The number is nobody's: the program has counted its own. */
	fprintf(out, "%s 999 %s.%s\n", status ? "not ok" : "ok", program,
		report->name);
}

int report_status(const struct report *report)
{
	bool judged = false, bad = false;
	struct outcome outcome;

	for (int check = 0; check < WATCH_COUNT; check++) {
		sum_up(report, check, &outcome);
		judged |= outcome.verdict != VERDICT_SKIP;
		bad |= outcome.verdict == VERDICT_FAIL ||
		       outcome.verdict == VERDICT_ERROR;
	}
	if (bad)
		return EXIT_FAILURE;
	return judged ? EXIT_SUCCESS : NOT_JUDGED;
}

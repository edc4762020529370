/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the counts of the programs amount to: the verdict on each clause for
 * each pair of drivers.
 */
#ifndef CTS_OUTCOME_H
#define CTS_OUTCOME_H

#include <jansson.h>
#include <stdbool.h>

#include "clause/clause.h"
#include "monitor/watch.h"
#include "record/record.h"

#define OUTCOME_REASON_SIZE	200

/**
 * struct outcome_ends - who is at both ends, in words
 * @exporter: the exporter's name
 * @exporter_driver: its module; the name where it is built in
 * @importer: the importer's driver, or the module that attached for it
 * @device: the device that was attached; empty: a call that has no importer
 */
struct outcome_ends {
	char exporter[WATCH_NAME_SIZE];
	char exporter_driver[WATCH_NAME_SIZE];
	char importer[WATCH_NAME_SIZE];
	char device[WATCH_NAME_SIZE];
};

/**
 * struct outcome - the verdict on a clause
 * @verdict: VERDICT_SKIP where nothing could be judged
 * @checked, @broken: how often
 * @reason: why it is not a pass; empty for a pass
 */
struct outcome {
	enum verdict verdict;
	unsigned long long checked;
	unsigned long long broken;
	char reason[OUTCOME_REASON_SIZE];
};

/**
 * struct outcome_loss - what was not seen, by what it spoils
 * @calls: those that rest on calls of that function
 * @unknown: all verdicts
 * @strange: all verdicts, also where something seems to be broken: the types that
 *	were gone by are not this kernel's
 * @histories: those that rest on what was seen before
 */
struct outcome_loss {
	unsigned long long calls[WATCH_FN_COUNT];
	unsigned long long unknown;
	unsigned long long strange;
	unsigned long long histories;
};

/**
 * outcome_clause - the clause of a check
 * @check: the check
 */
enum clause_id outcome_clause(enum watch_check check);

/**
 * outcome_judge - the verdict on one clause
 * @check: what was judged
 * @tally: how often it was kept and broken
 * @loss: what was not seen meanwhile
 * @outcome: where to write it
 */
void outcome_judge(enum watch_check check, const struct watch_tally *tally,
		   const struct outcome_loss *loss, struct outcome *outcome);

/**
 * outcome_subject - whom a verdict is about, as records say it
 * @check: what was judged
 * @ends: both ends
 *
 * Return: a new JSON object.
 */
json_t *outcome_subject(enum watch_check check,
			const struct outcome_ends *ends);

/**
 * outcome_name_ends - put names to a pair
 * @pair: as the programs saw it
 * @ends: where to write them
 */
void outcome_name_ends(const struct watch_pair *pair,
		       struct outcome_ends *ends);

#endif

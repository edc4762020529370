// SPDX-License-Identifier: GPL-2.0-only
#include "monitor/outcome.h"

#include <stdio.h>
#include <string.h>

#include "clause/law.h"
#include "monitor/name.h"
#include "monitor/symbols.h"
#include "pair/kernel.h"

#define OURS	"dmabuf_peer"

enum memory { CALL, HISTORY };

/* Sets of calls. */
enum {
#define FUNCTION(id, name) ON_##id = 1U << WATCH_FN_##id,
#include "monitor/functions.def"
#undef FUNCTION
	/* The core may unpin within unmap. */
	ON_PINS = ON_PIN | ON_UNPIN | ON_UNMAP,
	ON_MOVES = ON_PINS | ON_MAP | ON_NOTIFY | ON_MOVE_BEGINS | ON_MOVE,
};

/* By which it is known what to follow, and what no longer. */
static const unsigned int always[] = {
	[CALL] = ON_EXPORT | ON_ATTACH,
	[HISTORY] = ON_EXPORT | ON_ATTACH | ON_DETACH | ON_RELEASE,
};

static const struct {
	enum clause_id clause;
	enum memory memory;
	unsigned int calls;
} checks[] = {
#define WATCH(clause, memory, calls) { clause, memory, calls },
#include "monitor/checks.def"
#undef WATCH
};

/* What is only recorded: in the words that tests have for it. */
static const struct {
	enum watch_check check;
	const char *kept, *broken, *both;
} recorded[] = {
	{ WATCH_PIN_06_b, "pin kept the place", "pin moved the storage",
	  "pin kept the place, and moved the storage at other times" },
};

static bool record(enum watch_check check, struct outcome *outcome)
{
	for (size_t i = 0; i < sizeof(recorded) / sizeof(recorded[0]); i++) {
		const char *text = recorded[i].both;

		if (recorded[i].check != check)
			continue;
		if (!outcome->broken)
			text = recorded[i].kept;
		else if (outcome->broken == outcome->checked)
			text = recorded[i].broken;
		outcome->verdict = VERDICT_VALUE;
		snprintf(outcome->reason, sizeof(outcome->reason), "%s", text);
		return true;
	}
	return false;
}

enum clause_id outcome_clause(enum watch_check check)
{
	return checks[check].clause;
}

static enum verdict broken_verdict(enum strength strength)
{
	switch (strength) {
	case STRENGTH_MUST:
		return VERDICT_FAIL;
	case STRENGTH_SHOULD:
		return VERDICT_WARN;
	default:
		return VERDICT_VALUE;
	}
}

/* Calls that were missed, of those that it rests on. */
static unsigned long long missed_of(enum watch_check check,
				    const struct outcome_loss *loss)
{
	unsigned int calls = checks[check].calls | always[checks[check].memory];
	unsigned long long missed = loss->unknown;

	for (int function = 0; function < WATCH_FN_COUNT; function++)
		if (calls & 1U << function)
			missed += loss->calls[function];
	return missed;
}

void outcome_judge(enum watch_check check, const struct watch_tally *tally,
		   const struct outcome_loss *loss, struct outcome *outcome)
{
	enum strength strength = clause_strength(checks[check].clause);
	unsigned long long missed = missed_of(check, loss), lost = missed;

	if (checks[check].memory == HISTORY)
		lost += loss->histories;
	*outcome = (struct outcome){
		.checked = tally->checked[check],
		.broken = tally->broken[check],
		.verdict = VERDICT_PASS,
	};
	if (strength == STRENGTH_NONE) {
		outcome->verdict = VERDICT_SKIP;
		snprintf(outcome->reason, sizeof(outcome->reason),
			 "this kernel has no such rule");
	} else if (outcome->checked && loss->strange) {
		outcome->verdict = VERDICT_ERROR;
		snprintf(outcome->reason, sizeof(outcome->reason),
			 "%llu buffers and attachments are not as the types have it that were gone by",
			 loss->strange);
	} else if (outcome->broken && missed &&
		   checks[check].memory == HISTORY) {
		/* What looks like a map too many may follow an unmap unseen. */
		outcome->verdict = VERDICT_ERROR;
		snprintf(outcome->reason, sizeof(outcome->reason),
			 "broken %llu times of %llu as it seems, but %llu calls "
			 "were not seen", outcome->broken, outcome->checked,
			 missed);
	} else if (outcome->checked && (outcome->broken || !lost) &&
		   record(check, outcome)) {
		return;
	} else if (outcome->broken) {
		outcome->verdict = broken_verdict(strength);
		snprintf(outcome->reason, sizeof(outcome->reason),
			 "broken %llu times of %llu", outcome->broken,
			 outcome->checked);
	} else if (!outcome->checked) {
		outcome->verdict = VERDICT_SKIP;
		snprintf(outcome->reason, sizeof(outcome->reason),
			 "nothing happened that it is about");
	} else if (lost) {
		outcome->verdict = VERDICT_ERROR;
		snprintf(outcome->reason, sizeof(outcome->reason),
			 "kept %llu times, but %llu events that it rests on "
			 "were not seen", outcome->checked, lost);
	}
}

static bool is_ours(const char *driver)
{
	return !strncmp(driver, OURS, strlen(OURS));
}

json_t *outcome_subject(enum watch_check check,
			const struct outcome_ends *ends)
{
	enum party party = clause_get(checks[check].clause)->party;
	const char *name = "dma-buf", *driver = name;

	if (party == PARTY_EXPORTER) {
		name = ends->exporter;
		driver = ends->exporter_driver;
	} else if (party == PARTY_IMPORTER && *ends->importer) {
		name = driver = ends->importer;
	}
	return json_pack("{s:s s:s s:s s:s s:b}", "role", party_name(party),
			 "name", name, "driver", driver,
			 "version", kernel_release(), "ours", is_ours(driver));
}

/* Who called attach: the first in the chain that is not dma-buf itself. */
static void name_caller(const struct watch_pair *pair, char *name, size_t size)
{
	char frame[SYMBOL_SIZE];

	for (int i = 0; i < WATCH_CALLERS && pair->caller[i]; i++) {
		symbol_name(pair->caller[i], frame, sizeof(frame));
		if (!symbol_is_frame(pair->caller[i]) ||
		    !strncmp(frame, "dma_buf_", strlen("dma_buf_")))
			continue;
		symbol_module(pair->caller[i], name, size);
		if (!*name)
			snprintf(name, size, "%.*s", (int)strcspn(frame, "+"),
				 frame);
		return;
	}
}

/* A dynamic importer is known by its operations, another by its driver. */
static void name_importer(const struct watch_pair *pair,
			  struct outcome_ends *ends)
{
	if (pair->importer_ops)
		symbol_module(pair->importer_ops, ends->importer,
			      sizeof(ends->importer));
	if (!*ends->importer)
		snprintf(ends->importer, sizeof(ends->importer), "%s",
			 pair->driver);
	if (!*ends->importer)
		name_caller(pair, ends->importer, sizeof(ends->importer));
	if (!*ends->importer)
		snprintf(ends->importer, sizeof(ends->importer), "%s",
			 pair->device);
}

void outcome_name_ends(const struct watch_pair *pair, struct outcome_ends *ends)
{
	memset(ends, 0, sizeof(*ends));
	snprintf(ends->exporter, sizeof(ends->exporter), "%s",
		 *pair->exporter ? pair->exporter : "(no name)");
	snprintf(ends->exporter_driver, sizeof(ends->exporter_driver), "%s",
		 *pair->exporter_module ? pair->exporter_module :
		 ends->exporter);
	snprintf(ends->device, sizeof(ends->device), "%s", pair->device);
	if (*pair->device)
		name_importer(pair, ends);
	name_clean(ends->exporter);
	name_clean(ends->exporter_driver);
	name_clean(ends->importer);
	name_clean(ends->device);
}

// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/reduce.h"

#include <string.h>

#include "matrix/record.h"
#include "report/verdict.h"
#include "stream/text.h"

/* Different reasons that are kept for one clause; the rest is counted. */
#define REASONS_MAX	4

/* Parties that have a row in common: no clause obliges two of them. */
static const struct {
	const char *party;
	const char *role;
	const char *end;	/* of the pair; NULL: a part of the kernel */
	const char *driver;	/* which part */
} parties[] = {
	{ "exporter", "exporter", "exporter", NULL },
	{ "importer", "importer", "importer", NULL },
	{ "nic", "importer", "importer", NULL },
	{ "core", "core", NULL, "dma-buf" },
	{ "all", "core", NULL, "dma-buf" },
	{ "user", "core", NULL, "dma-buf" },
	{ "rdma-core", "rdma-core", NULL, "ib_core" },
};

struct reducing {
	const json_t *run;
	const struct columns *columns;
	json_t *results;
};

/* Who is judged by a leaf. */
struct judged {
	const char *role;
	const char *driver;
	const char *version;
	const char *selector;
	const char *evidence;
	bool ours;
};

static json_t *find_backend(const json_t *run, const char *role,
			    const char *selector)
{
	json_t *backend;
	size_t i;

	json_array_foreach(json_object_get(run, "backends"), i, backend)
		if (!strcmp(text_member(backend, "role", ""), role) &&
		    !strcmp(text_member(backend, "selector", ""), selector))
			return backend;
	return NULL;
}

/* One end of a leaf's pair, as it was found before anything was judged. */
static struct judged end_of(const json_t *run, const json_t *leaf,
			    const char *end)
{
	const char *selector = text_member(leaf, end, "?");
	json_t *backend = find_backend(run, end, selector);

	return (struct judged){
		.role = end,
		.driver = text_member(backend, "driver", "?"),
		.version = text_member(backend, "version", ""),
		.selector = selector,
		.evidence = text_member(backend, "evidence", "software"),
		.ours = json_is_true(json_object_get(backend, "ours")),
	};
}

/* A case that broke off has not said whom it judges; the clause does. */
static const char *party_of(const struct reducing *reducing, const json_t *leaf)
{
	json_t *subject = json_object_get(leaf, "subject");
	const struct check *check;

	if (json_is_object(subject))
		return text_member(subject, "role", "?");
	check = columns_find(reducing->columns,
			     text_member(leaf, "clause", "?"));
	return check ? check->party : "";
}

/* Returns false where the leaf judges nobody. */
static bool find_judged(const struct reducing *reducing, const json_t *leaf,
			struct judged *judged)
{
	const char *party = party_of(reducing, leaf);
	json_t *subject = json_object_get(leaf, "subject");

	for (size_t i = 0; i < sizeof(parties) / sizeof(*parties); i++) {
		if (strcmp(parties[i].party, party))
			continue;
		if (parties[i].end)
			*judged = end_of(reducing->run, leaf, parties[i].end);
		else
			*judged = (struct judged){
				.driver = parties[i].driver,
				.selector = "",
				.version = text_member(subject, "version", ""),
				.evidence = text_member(leaf, "evidence",
							"software"),
			};
		judged->role = parties[i].role;
		judged->ours |= json_is_true(json_object_get(leaf, "self_test"));
		return true;
	}
	return false;
}

static json_t *law_of(const json_t *run)
{
	json_t *law = json_object();
	json_t *entry;
	size_t i;

	json_array_foreach(json_object_get(run, "law"), i, entry)
		json_object_set(law, text_member(entry, "feature", "?"),
				json_object_get(entry, "value"));
	return law;
}

static bool has_label(const json_t *labels, const json_t *wanted)
{
	json_t *label;
	size_t i;

	json_array_foreach(labels, i, label)
		if (json_equal(label, wanted))
			return true;
	return false;
}

static json_t *new_result(const json_t *run, const struct judged *judged)
{
	json_t *kernel = json_object_get(run, "kernel");

	return json_pack("{s:i s:s s:s s:s s:s s:s s:s s:s s:O? s:[] s:{} s:[]}",
		"schema", RECORD_SCHEMA, "driver", judged->driver,
		"role", judged->role,
		"series", text_member(kernel, "series", "unknown"),
		"evidence", judged->evidence,
		"kernel", text_member(kernel, "release", "unknown"),
		"version", judged->version,
		"suite", text_member(run, "suite", "?"),
		"clause_table", json_object_get(run, "clause_table"),
		"selectors", "clauses", "incidents");
}

static json_t *result_of(struct reducing *reducing, const struct judged *judged)
{
	json_t *result;
	size_t i;

	json_array_foreach(reducing->results, i, result)
		if (!strcmp(text_member(result, "driver", ""), judged->driver) &&
		    !strcmp(text_member(result, "role", ""), judged->role) &&
		    !strcmp(text_member(result, "evidence", ""),
			    judged->evidence))
			return result;
	result = new_result(reducing->run, judged);
	json_array_append_new(reducing->results, result);
	return result;
}

/* What it declares, and what the kernel asks: profiles are judged by both. */
static void add_declared(json_t *result, const json_t *run,
			 const struct judged *judged)
{
	json_t *known = json_object_get(result, "capabilities");
	const json_t *backend = find_backend(run, judged->role,
					     judged->selector);
	json_t *label;
	size_t i;

	if (!known && backend) {
		known = json_array();
		json_object_set_new(result, "capabilities", known);
		json_object_set_new(result, "law", law_of(run));
	}
	json_array_foreach(json_object_get(backend, "capabilities"), i, label)
		if (!has_label(known, label))
			json_array_append(known, label);
}

static void add_selector(json_t *result, const char *selector)
{
	json_t *selectors = json_object_get(result, "selectors");
	json_t *known;
	size_t i;

	json_array_foreach(selectors, i, known)
		if (!strcmp(json_string_value(known), selector))
			return;
	if (*selector)
		json_array_append_new(selectors, json_string(selector));
}

/* Why, and where to look: the case and the pair that were the first to say so. */
static json_t *reason_of(const json_t *leaf, const char *text)
{
	json_t *reason = json_pack("{s:s s:o s:o}", "text", text,
		"case", json_sprintf("%s.%s", text_member(leaf, "program", "?"),
				     text_member(leaf, "case", "?")),
		"pair", json_sprintf("%s,%s", text_member(leaf, "exporter", "?"),
				     text_member(leaf, "importer", "?")));
	const char *known = text_member(leaf, "known", NULL);

	if (known && strcmp(known, text))
		json_object_set_new(reason, "known", json_string(known));
	return reason;
}

static void add_reason(json_t *entry, const json_t *leaf)
{
	const char *text = text_member(leaf, "reason",
				       text_member(leaf, "value", ""));
	json_t *reasons = json_object_get(entry, "reasons");
	json_int_t more = json_integer_value(json_object_get(entry, "more"));
	json_t *known;
	size_t i;

	json_array_foreach(reasons, i, known)
		if (!strcmp(text_member(known, "text", ""), text))
			return;
	if (!reasons) {
		reasons = json_array();
		json_object_set_new(entry, "reasons", reasons);
	}
	if (json_array_size(reasons) < REASONS_MAX)
		json_array_append_new(reasons, reason_of(leaf, text));
	else
		json_object_set_new(entry, "more", json_integer(more + 1));
}

static void count(json_t *entry, const char *verdict)
{
	json_t *counts = json_object_get(entry, "counts");
	json_int_t known = json_integer_value(json_object_get(counts, verdict));

	json_object_set_new(counts, verdict, json_integer(known + 1));
}

static json_t *entry_of(json_t *clauses, const char *clause)
{
	json_t *entry = json_object_get(clauses, clause);

	if (!entry) {
		entry = json_pack("{s:s s:{} s:b}", "verdict", "none",
				  "counts", "peers_only", 1);
		json_object_set_new(clauses, clause, entry);
	}
	return entry;
}

/* A clause is as good as the worst that was seen of it. */
static void add_verdict(json_t *result, const json_t *leaf)
{
	json_t *entry = entry_of(json_object_get(result, "clauses"),
				 text_member(leaf, "clause", "?"));
	const char *word = text_member(leaf, "verdict", "error");
	enum verdict verdict = verdict_find(word);
	enum verdict worst = verdict_find(text_member(entry, "verdict", ""));

	count(entry, word);
	if (!json_is_true(json_object_get(leaf, "importer_ours")))
		json_object_set_new(entry, "peers_only", json_false());
	if (verdict > worst) {
		json_object_set_new(entry, "verdict", json_string(word));
		json_object_del(entry, "reasons");
		json_object_del(entry, "more");
	}
	if (verdict >= worst && verdict != VERDICT_PASS)
		add_reason(entry, leaf);
}

/* What judges nobody, but happened with a driver at work, stands in its row. */
static void add_incident(struct reducing *reducing, const json_t *leaf)
{
	static const char *const ends[] = { "exporter", "importer" };
	enum verdict verdict = verdict_find(text_member(leaf, "verdict", ""));

	for (size_t i = 0; verdict_is_bad(verdict) && i < 2; i++) {
		struct judged judged = end_of(reducing->run, leaf, ends[i]);
		json_t *result;
		json_t *incident;

		if (judged.ours || !strcmp(judged.driver, "?"))
			continue;
		result = result_of(reducing, &judged);
		incident = reason_of(leaf, text_member(leaf, "reason", ""));
		json_object_set_new(incident, "clause",
			json_string(text_member(leaf, "clause", "?")));
		json_object_set_new(incident, "verdict",
			json_string(text_member(leaf, "verdict", "?")));
		json_array_append_new(json_object_get(result, "incidents"),
				      incident);
	}
}

static void take_leaf(struct reducing *reducing, const json_t *leaf)
{
	const char *clause = text_member(leaf, "clause", "?");
	struct judged judged;
	json_t *result;

	/* What tests of others found is not ours to say. */
	if (text_member(leaf, "origin", NULL))
		return;
	if (!columns_find(reducing->columns, clause))
		add_incident(reducing, leaf);
	if (!find_judged(reducing, leaf, &judged) || judged.ours)
		return;
	result = result_of(reducing, &judged);
	add_selector(result, judged.selector);
	add_declared(result, reducing->run, &judged);
	add_verdict(result, leaf);
}

/* Only the parts of the kernel can be judged without any driver. */
static void drop_idle_marks(json_t *results)
{
	json_t *result, *entry;
	const char *clause;
	size_t i;

	json_array_foreach(results, i, result) {
		const char *role = text_member(result, "role", "");

		json_object_foreach(json_object_get(result, "clauses"), clause,
				    entry)
			if (strcmp(role, "rdma-core") ||
			    !json_is_true(json_object_get(entry, "peers_only")))
				json_object_del(entry, "peers_only");
	}
}

json_t *reduce_run(const json_t *run, const struct columns *columns)
{
	struct reducing reducing = { run, columns, json_array() };
	json_t *leaf;
	size_t i;

	json_array_foreach(json_object_get(run, "leaves"), i, leaf)
		take_leaf(&reducing, leaf);
	drop_idle_marks(reducing.results);
	return reducing.results;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "report/partner.h"

#include <string.h>

#include "stream/text.h"

struct collecting {
	const struct run *run;
	json_t *partners;	/* whether it was judged, by what it is about; and, by
				 * case, at which end any partner will do */
};

/* The end whom a leaf judges; clauses on NICs are on their drivers. */
static const char *judged_end(const struct leaf *leaf)
{
	const char *role = text_member(leaf->subject, "role", "");

	return strcmp(role, "nic") ? role : "importer";
}

/* Which end of the pair may be anyone, as far as one of the runs says; never who is judged. */
static const char *any_of(const json_t *partners, const struct leaf *leaf,
			  const struct test_case *test)
{
	const char *any = test->any ?: text_member(partners, case_title(test), "");

	return strcmp(any, judged_end(leaf)) ? any : "";
}

static const char *end_of(const struct run *run, const char *role,
			  const char *selector, const char *any)
{
	if (!strcmp(role, any))
		return "(any)";
	return run_is_ours(run, role, selector) ? "(ours)" : selector;
}

/* Peers, where one of them is judged, by itself; else both ends. */
static const char *about(const struct run *run, const struct leaf *leaf,
			 const struct test_case *test, const char *any)
{
	const struct pair *pair = test->job->pair;
	const char *who = leaf->ours ? "(ours)" :
		memory_print("%s,%s",
			     end_of(run, "exporter", pair->exporter, any),
			     end_of(run, "importer", pair->importer, any));

	return memory_print("%s %s %s", who, case_title(test), leaf->clause);
}

static void note(json_t *partners, const char *key, const struct leaf *leaf)
{
	bool judged = leaf->verdict != VERDICT_SKIP ||
		      json_is_true(json_object_get(partners, key));

	json_object_set_new(partners, key, json_boolean(judged));
}

static void collect(struct leaf *leaf, struct test_case *test, void *context)
{
	struct collecting *collecting = context;
	json_t *partners = collecting->partners;

	note(partners, about(collecting->run, leaf, test, ""), leaf);
	if (!test->any)
		return;
	note(partners, about(collecting->run, leaf, test,
			     any_of(partners, leaf, test)), leaf);
	json_object_set_new(partners, case_title(test), json_string(test->any));
}

json_t *partners_of(const struct run *run)
{
	struct collecting collecting = { run, json_object() };

	run_visit_leaves(run, collect, &collecting);
	return collecting.partners;
}

bool partners_judged(const json_t *partners, const struct run *run,
		     const struct leaf *leaf, const struct test_case *test)
{
	json_t *known = json_object_get(partners, about(run, leaf, test,
						any_of(partners, leaf, test)));

	return json_is_true(known) ||
	       (known && leaf->verdict == VERDICT_SKIP);
}

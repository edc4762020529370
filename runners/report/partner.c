// SPDX-License-Identifier: GPL-2.0-only
#include "report/partner.h"

#include <string.h>

#include "stream/text.h"

struct collecting {
	const struct run *run;
	json_t *partners;	/* whether it was judged, by what it is about */
};

static const char *end_of(const struct run *run, const char *role,
			  const char *selector)
{
	json_t *backend = run_find_backend(run, role, selector);

	return json_is_true(json_object_get(backend, "ours")) ? "(ours)" :
	       selector;
}

/* A peer by itself, where it is the one who is judged; else both ends. */
static const char *about(const struct run *run, const struct leaf *leaf,
			 const struct test_case *test)
{
	const struct pair *pair = test->job->pair;
	const char *who = leaf->ours ? text_member(leaf->subject, "name", "?") :
		memory_print("%s,%s", end_of(run, "exporter", pair->exporter),
			     end_of(run, "importer", pair->importer));

	return memory_print("%s %s %s", who, case_title(test), leaf->clause);
}

static void collect(struct leaf *leaf, struct test_case *test, void *context)
{
	struct collecting *collecting = context;
	const char *key = about(collecting->run, leaf, test);
	bool judged = leaf->verdict != VERDICT_SKIP ||
		      json_is_true(json_object_get(collecting->partners, key));

	json_object_set_new(collecting->partners, key, json_boolean(judged));
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
	json_t *known = json_object_get(partners, about(run, leaf, test));

	return json_is_true(known) ||
	       (known && leaf->verdict == VERDICT_SKIP);
}

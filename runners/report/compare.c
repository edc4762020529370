// SPDX-License-Identifier: GPL-2.0-only
#include "report/compare.h"

#include <stdlib.h>
#include <string.h>

#include "report/load.h"

enum kind { KIND_SKIP, KIND_GOOD, KIND_BAD, KIND_COUNT };

static enum kind kind_of(enum verdict verdict)
{
	if (verdict_is_bad(verdict))
		return KIND_BAD;
	return verdict_is_skip(verdict) ? KIND_SKIP : KIND_GOOD;
}

/* Of verdicts that differ; that a good one is now a pass is below. */
static const enum change changes[KIND_COUNT][KIND_COUNT] = {
	[KIND_SKIP] = { CHANGE_OTHER, CHANGE_OTHER, CHANGE_WORSE },
	[KIND_GOOD] = { CHANGE_WORSE, CHANGE_WORSE, CHANGE_WORSE },
	[KIND_BAD] = { CHANGE_OTHER, CHANGE_PASS, CHANGE_WORSE },
};

static enum change compare_there(const struct leaf *before,
				 const struct leaf *now)
{
	enum kind was = kind_of(before->verdict);

	if (before->verdict == now->verdict)
		return before->verdict == VERDICT_VALUE &&
		       strcmp(before->value, now->value) ? CHANGE_VALUE :
		       CHANGE_NONE;
	if (was == KIND_GOOD && now->verdict == VERDICT_PASS)
		return CHANGE_OTHER;
	return changes[was][kind_of(now->verdict)];
}

enum change compare_leaves(const struct leaf *before, const struct leaf *now)
{
	if (!now)
		return CHANGE_MISSING;
	if (now->flake && (!before || before->verdict != now->verdict))
		return CHANGE_FLAKE;
	if (!before)
		return verdict_is_bad(now->verdict) ? CHANGE_WORSE : CHANGE_NEW;
	return compare_there(before, now);
}

bool run_has_pair(const struct run *run, const char *name)
{
	for_list(struct pair *, pair, &run->pairs)
		if (!strcmp(pair->name, name))
			return true;
	return false;
}

static const struct job *same_job(const struct run *run,
				  const struct job *wanted)
{
	for_list(struct job *, job, &run->jobs)
		if (!strcmp(job->pair->name, wanted->pair->name) &&
		    !strcmp(job->program, wanted->program) &&
		    !strcmp(job->fault ?: "", wanted->fault ?: ""))
			return job;
	return NULL;
}

bool run_left_out(const struct run *run, const struct test_case *test)
{
	const struct job *job = same_job(run, test->job);
	json_t *chosen = job ? json_object_get(job->scheduled, "cases") : NULL;
	json_t *name;
	size_t i;

	json_array_foreach(chosen, i, name)
		if (!strcmp(json_string_value(name) ?: "", test->name))
			return false;
	return json_is_array(chosen);
}

bool run_scheduled(const struct run *run, const struct test_case *test)
{
	return same_job(run, test->job) && !run_left_out(run, test);
}

static bool is_alarm(const struct leaf *leaf)
{
	static const char *const clauses[] = {
		CLAUSE_KERNEL_LOG, CLAUSE_RUN, CLAUSE_KTAP,
	};

	for (size_t i = 0; i < sizeof(clauses) / sizeof(*clauses); i++)
		if (!strcmp(leaf->clause, clauses[i]))
			return verdict_is_bad(leaf->verdict);
	return false;
}

/* Some case, for what belongs to none. */
static bool judged_case(const struct job *job, const char *name)
{
	for_list(struct test_case *, test, &job->cases)
		if (test->leaves.count && (!strcmp(name, CASE_OF_RUN) ||
					   !strcmp(name, test->name)))
			return true;
	return false;
}

bool run_silenced(const struct run *run, const struct leaf *leaf,
		  const struct test_case *test)
{
	const struct job *job = same_job(run, test->job);

	return is_alarm(leaf) && job && judged_case(job, test->name);
}

static void count_leaf(struct leaf *leaf, struct test_case *test, void *context)
{
	(void)leaf;
	(void)test;
	++*(size_t *)context;
}

static void take_leaf(struct leaf *leaf, struct test_case *test, void *context)
{
	struct leaf_index *index = context;
	struct named_leaf *named = &index->items[index->count];

	named->name = load_leaf_name(leaf, test);
	named->leaf = leaf;
	named->test = test;
	index->sorted[index->count++] = named;
}

static int by_name(const void *one, const void *other)
{
	struct named_leaf *const *first = one;
	struct named_leaf *const *second = other;

	return strcmp((*first)->name, (*second)->name);
}

void leaf_index_build(struct leaf_index *index, const struct run *run)
{
	size_t room = 0;

	run_visit_leaves(run, count_leaf, &room);
	index->count = 0;
	index->items = memory_get(room * sizeof(*index->items));
	index->sorted = memory_get(room * sizeof(*index->sorted));
	run_visit_leaves(run, take_leaf, index);
	qsort(index->sorted, index->count, sizeof(*index->sorted), by_name);
}

struct named_leaf *leaf_index_find(const struct leaf_index *index,
				   const char *name)
{
	struct named_leaf wanted = { .name = name };
	struct named_leaf *key = &wanted;
	struct named_leaf **found;

	if (!index->count)
		return NULL;
	found = bsearch(&key, index->sorted, index->count,
			sizeof(*index->sorted), by_name);
	return found ? *found : NULL;
}

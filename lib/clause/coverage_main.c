// SPDX-License-Identifier: GPL-2.0-only
/*
 * cts-coverage: for each check of the contract the tests that judge it and the
 * mutants that prove them; what has none, and why.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clause/coverage.h"
#include "clause/proof.h"

#define EXIT_USAGE	2

static const char usage[] =
"usage: cts-coverage [--tests DIR] [--check] MUTANTS GAPS\n"
"For each check of the contract: its tests, and the mutants that prove them.\n"
"MUTANTS lists those; GAPS says why a check has no test or no mutant.\n"
"  --tests DIR   where the test programs are; default: beside this one\n"
"  --check       say only what is wrong: nothing covered and no reason given,\n"
"                or a reason given for what is covered\n"
"  --help        print this\n"
"Exit status: 0 if nothing is wrong, 1 if something is, 2 usage.\n";

struct request {
	char folder[PATH_MAX];
	bool check_only;
	const char *mutants;
	const char *gaps;
};

/* How a check fares. */
enum state { COVERED, NO_MUTANT, NO_TEST, STATE_COUNT };

/* Sums of one strength. */
struct tally {
	size_t checks;
	size_t states[STATE_COUNT];
	size_t shared;		/* covered by mutants of their clause as a whole */
	size_t wrong;
};

struct table {
	struct coverage coverage;
	struct proof proof;
	struct tally tallies[STRENGTH_COUNT];
};

/* What is only recorded breaks nothing: a test is enough. */
static enum state state_of(const struct table *table,
			   const struct clause *check)
{
	if (!is_tested(&table->coverage, check))
		return NO_TEST;
	if (check->strength == STRENGTH_MAY ||
	    proof_breaking(&table->proof, check, NULL))
		return COVERED;
	return NO_MUTANT;
}

static const struct gap *gap_of(const struct table *table,
				const struct clause *check, enum state state)
{
	return proof_gap(&table->proof, check,
			 state == NO_TEST ? LACKS_TEST : LACKS_MUTANT);
}

/* A lettered clause may have a reason for those of its checks that need one. */
static const struct gap *stale_gap(const struct table *table,
				   const struct clause *check,
				   enum state state)
{
	const struct gap *test = proof_gap(&table->proof, check, LACKS_TEST);
	const struct gap *mutant = proof_gap(&table->proof, check,
					     LACKS_MUTANT);

	if (test && test->clause == check && state != NO_TEST)
		return test;
	if (mutant && mutant->clause == check && state != NO_MUTANT)
		return mutant;
	return NULL;
}

static bool is_shared(const struct table *table, const struct clause *check)
{
	const struct breaking *breaking = NULL;

	while ((breaking = proof_breaking(&table->proof, check, breaking)))
		if (breaking->clause == check)
			return false;
	return check->strength != STRENGTH_MAY;
}

static void print_head(const struct clause *check)
{
	printf("%-10s %s, %s: %s\n", check->id, strength_name(check->strength),
	       party_name(check->party), check->text);
}

static void print_tests(const struct table *table, const struct clause *check)
{
	for (size_t i = 0; i < table->coverage.count; i++) {
		const struct covering_test *test = &table->coverage.tests[i];

		if (test_declares(test, check))
			printf("    test   %s.%s\n", test->program, test->name);
	}
}

static void print_mutants(const struct table *table, const struct clause *check)
{
	const struct breaking *breaking = NULL;

	while ((breaking = proof_breaking(&table->proof, check, breaking)))
		printf("    mutant %s%s%s\n", breaking->mutant,
		       breaking->clause == check ? "" : ", seen by some check of ",
		       breaking->clause == check ? "" : breaking->clause->id);
}

static void print_gap(const struct table *table, const struct clause *check,
		      enum state state)
{
	const struct gap *gap = gap_of(table, check, state);

	printf("    no %-6s ", state == NO_TEST ? "test" : "mutant");
	if (!gap) {
		printf("and no reason given\n");
		return;
	}
	printf("(%s) %s: %s\n", gap_name(gap->kind), gap_reason(gap->kind),
	       gap->text);
}

static void print_check(const struct table *table, const struct clause *check,
			enum state state)
{
	print_head(check);
	print_tests(table, check);
	print_mutants(table, check);
	if (state != COVERED)
		print_gap(table, check, state);
}

/* Return: whether something is wrong with it. */
static bool report_wrong(const struct table *table, const struct clause *check,
			 enum state state)
{
	const struct gap *stale = stale_gap(table, check, state);
	bool missing = state != COVERED && !gap_of(table, check, state);

	if (missing)
		fprintf(stderr, "cts-coverage: %s has no %s, and no reason why; add either\n",
			check->id, state == NO_TEST ? "test" : "mutant");
	if (stale)
		fprintf(stderr, "cts-coverage: %s has a %s, but a reason is given why not (%s); remove it\n",
			check->id, stale->lack == LACKS_TEST ? "test" : "mutant",
			gap_name(stale->kind));
	return missing || stale;
}

static void look_at(struct table *table, const struct clause *check,
		    bool check_only)
{
	struct tally *tally = &table->tallies[check->strength];
	enum state state = state_of(table, check);

	tally->checks++;
	tally->states[state]++;
	tally->shared += state == COVERED && is_shared(table, check);
	tally->wrong += report_wrong(table, check, state);
	if (!check_only)
		print_check(table, check, state);
}

static void print_kinds(const struct table *table)
{
	size_t counts[GAP_COUNT] = { 0 };

	for (int i = 0; i < CLAUSE_COUNT; i++) {
		const struct clause *check = clause_get(i);
		enum state state = state_of(table, check);
		const struct gap *gap = state == COVERED ? NULL :
					gap_of(table, check, state);

		if (gap)
			counts[gap->kind]++;
	}
	for (int i = 0; i < GAP_COUNT; i++)
		printf("%4zu (%s) %s\n     could be closed by %s\n", counts[i],
		       gap_name(i), gap_reason(i), gap_closer(i));
}

static void print_sums(const struct table *table)
{
	for (int i = STRENGTH_MUST; i > STRENGTH_NONE; i--) {
		const struct tally *tally = &table->tallies[i];

		printf("%s: %zu checks, %zu with a test", strength_name(i),
		       tally->checks, tally->checks - tally->states[NO_TEST]);
		if (i > STRENGTH_MAY)
			printf(", %zu of these with a mutant (%zu with one that some check of their clause sees)",
			       tally->states[COVERED], tally->shared);
		putchar('\n');
	}
}

static size_t look_at_all(struct table *table, bool check_only)
{
	size_t wrong = 0;

	for (int i = 0; i < CLAUSE_COUNT; i++)
		look_at(table, clause_get(i), check_only);
	if (!check_only) {
		printf("\nWhat is not covered, by kind of reason:\n");
		print_kinds(table);
		putchar('\n');
	}
	print_sums(table);
	for (int i = 0; i < STRENGTH_COUNT; i++)
		wrong += table->tallies[i].wrong;
	return wrong;
}

static int cover(const struct request *request)
{
	static struct table table;
	int status = EXIT_USAGE;
	int error = coverage_read(request->folder, &table.coverage);

	if (error)
		fprintf(stderr, "cts-coverage: cannot read the test programs in %s: %s\n",
			request->folder, strerror(-error));
	else if (!proof_read(request->mutants, request->gaps, &table.proof))
		status = look_at_all(&table, request->check_only) ?
			 EXIT_FAILURE : EXIT_SUCCESS;
	proof_free(&table.proof);
	coverage_free(&table.coverage);
	return status;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "tests", required_argument, NULL, 't' },
		{ "check", no_argument, NULL, 'c' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	struct request request = { 0 };
	int option;

	coverage_own_folder(request.folder, sizeof(request.folder));
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 't':
			snprintf(request.folder, sizeof(request.folder), "%s", optarg);
			break;
		case 'c':
			request.check_only = true;
			break;
		default:
			fputs(usage, option == 'h' ? stdout : stderr);
			return option == 'h' ? EXIT_SUCCESS : EXIT_USAGE;
		}
	}
	if (argc - optind != 2) {
		fputs(usage, stderr);
		return EXIT_USAGE;
	}
	request.mutants = argv[optind];
	request.gaps = argv[optind + 1];
	return cover(&request);
}

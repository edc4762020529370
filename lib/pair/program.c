// SPDX-License-Identifier: GPL-2.0-only
/* A conformance program around its cases. */
#include "pair/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clause/law.h"
#include "oracle/klog.h"

#define EXIT_SKIP		4
#define REASON_SIZE		256

/*
 * The linker makes these from what CLAUSE_TEST() and CLAUSE_TEST_MAIN() put
 * into the sections.
 */
extern struct clause_test __start_clause_tests[] __attribute__((weak));
extern struct clause_test __stop_clause_tests[] __attribute__((weak));
extern struct clause_program __start_clause_programs[] __attribute__((weak));
extern struct clause_program __stop_clause_programs[] __attribute__((weak));

/* Those of the program that runs. */
static struct {
	struct clause_test *first;
	struct clause_test *end;
} tests;

#define for_each_test(test) \
	for (const struct clause_test *test = tests.first; \
	     test < tests.end; test++)

static int by_line(const void *a, const void *b)
{
	const struct clause_test *first = a, *second = b;

	return first->line - second->line;
}

/*
 * The linker leaves the entries of a file together. Compilers place them there
 * as they like; people read them as written.
 */
static void select_tests(const char *file)
{
	tests.first = __start_clause_tests;
	while (tests.first < __stop_clause_tests &&
	       strcmp(tests.first->file, file))
		tests.first++;
	tests.end = tests.first;
	while (tests.end < __stop_clause_tests &&
	       !strcmp(tests.end->file, file))
		tests.end++;
	qsort(tests.first, tests.end - tests.first, sizeof(*tests.first),
	      by_line);
}

const struct clause_program *program_find(const char *name)
{
	const struct clause_program *program;

	for (program = __start_clause_programs;
	     program < __stop_clause_programs; program++)
		if (!strcmp(program->name, name))
			return program;
	return NULL;
}

const struct clause_program *program_number(size_t number)
{
	size_t count = __stop_clause_programs - __start_clause_programs;

	return number < count ? &__start_clause_programs[number] : NULL;
}

const struct clause_test *program_find_test(const char *name)
{
	for_each_test(test)
		if (!strcmp(test->name, name))
			return test;

	fprintf(stderr, "no case is called %s\n", name);
	abort();
}

static json_t *clauses_of(const struct clause_test *test)
{
	json_t *list = json_array();

	for (size_t i = 0; i < test->clause_count; i++)
		json_array_append_new(list,
			json_string(clause_get(test->clauses[i])->id));
	return list;
}

static json_t *needs_of(const struct clause_test *test)
{
	json_t *list = json_array();

	for (int id = 0; id < CAPABILITY_COUNT; id++)
		if (test->needs & CAP(id))
			json_array_append_new(list,
				json_string(capability_name(id)));
	return list;
}

static bool has_string(const json_t *list, const char *text)
{
	json_t *entry;
	size_t i;

	json_array_foreach(list, i, entry)
		if (!strcmp(json_string_value(entry), text))
			return true;
	return false;
}

/* Whom the case judges. */
static json_t *parties_of(const struct clause_test *test)
{
	json_t *list = json_array();

	for (size_t i = 0; i < test->clause_count; i++) {
		const struct clause *clause = clause_get(test->clauses[i]);
		const char *party = party_name(clause->party);

		if (!has_string(list, party))
			json_array_append_new(list, json_string(party));
	}
	return list;
}

static bool has_rule(const struct clause_test *test)
{
	for (size_t i = 0; i < test->clause_count; i++)
		if (clause_strength(test->clauses[i]) != STRENGTH_NONE)
			return true;
	return false;
}

/* What a case says beside its needs, as the plan has it. */
static const struct {
	const char *name;
	capability_set flag;
} sayings[] = {
	{ "each_pair", EACH_PAIR },
	{ "any_exporter", ANY_EXPORTER },
	{ "any_importer", ANY_IMPORTER },
	{ "last_resort", LAST_RESORT },
};

static json_t *plan_case(const struct clause_test *test)
{
	json_t *entry = json_pack("{s:s s:o s:o s:o}", "case", test->name,
				  "clauses", clauses_of(test),
				  "needs", needs_of(test),
				  "parties", parties_of(test));

	for (size_t i = 0; i < sizeof(sayings) / sizeof(sayings[0]); i++)
		if (test->needs & sayings[i].flag)
			json_object_set_new(entry, sayings[i].name, json_true());
	/* It takes long to find the law: nobody has to who asks for plans alone. */
	if (getenv(LAW_VARIABLE) && !has_rule(test))
		json_object_set_new(entry, "void", json_true());
	return entry;
}

static int print_plan(const char *program)
{
	json_t *cases = json_array();
	json_t *plan;

	for_each_test(test)
		json_array_append_new(cases, plan_case(test));
	plan = json_pack("{s:s s:s s:o}", "type", "plan", "program", program,
			 "cases", cases);
	json_dumpf(plan, stdout, JSON_COMPACT);
	putchar('\n');
	json_decref(plan);
	return 0;
}

static bool is_excluded(const char *name, int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i++)
		if (!strcmp(argv[i], "-T") && !strcmp(argv[i + 1], name))
			return true;
	return false;
}

static bool is_chosen(const char *name, int argc, char **argv)
{
	bool chooses = false;

	if (is_excluded(name, argc, argv))
		return false;
	for (int i = 1; i + 1 < argc; i++) {
		if (strcmp(argv[i], "-t"))
			continue;
		chooses = true;
		if (!strcmp(argv[i + 1], name))
			return true;
	}
	return !chooses;
}

/*
 * The harness runs what "-t" names; nothing else tells it which cases apply.
 * Arguments that are not about the choice of cases are passed on.
 */
struct arguments {
	int count;
	char **vector;
};

static void add_argument(struct arguments *arguments, const char *text)
{
	arguments->vector[arguments->count++] = (char *)text;
	arguments->vector[arguments->count] = NULL;
}

static bool applies(const struct clause_test *test, capability_set has,
		    char *reason, size_t size)
{
	if (capability_missing(test->needs, has, reason, size))
		return false;
	if (has_rule(test))
		return true;
	snprintf(reason, size, "this kernel has none of its rules");
	return false;
}

bool program_applies(const struct clause_program *program,
		     const struct pair *pair)
{
	capability_set has = pair_capabilities(pair);
	char reason[REASON_SIZE];

	select_tests(program->file);
	for_each_test(test)
		if (applies(test, has, reason, sizeof(reason)))
			return true;
	return false;
}

static size_t plan_cases(const char *program, const struct pair *pair,
			 struct arguments *harness, int argc, char **argv)
{
	capability_set has = pair_capabilities(pair);
	json_t *inapplicable = json_array();
	json_t *cases = json_array();
	char reason[REASON_SIZE];
	size_t count;

	for_each_test(test) {
		if (!is_chosen(test->name, argc, argv))
			continue;
		if (!applies(test, has, reason, sizeof(reason))) {
			json_array_append_new(inapplicable,
				json_pack("{s:s s:s}", "case", test->name,
					  "reason", reason));
			continue;
		}
		json_array_append_new(cases, plan_case(test));
		add_argument(harness, "-t");
		add_argument(harness, test->name);
	}
	count = json_array_size(cases);
	record_write(json_pack("{s:s s:s s:o s:o}", "type", "plan",
			       "program", program, "cases", cases,
			       "inapplicable", inapplicable));
	return count;
}

static int skip_program(const char *why)
{
	printf("TAP version 13\n1..0 # SKIP %s\n", why);
	return EXIT_SKIP;
}

static int absent_pair(const struct pair *pair)
{
	const struct backend *ends[] = {
		&pair->exporter.backend, &pair->importer.backend,
	};
	char why[2 * BACKEND_REASON_SIZE] = "";

	for (size_t i = 0; i < 2; i++)
		for (int j = 0; j < ends[i]->reason_count; j++)
			snprintf(why + strlen(why), sizeof(why) - strlen(why),
				 "%s%s", *why ? "; " : "", ends[i]->reasons[j]);
	return skip_program(why);
}

static bool is_question(int argc, char **argv, const char *option)
{
	return argc == 2 && !strcmp(argv[1], option);
}

int program_run(const struct clause_program *program, int argc, char **argv)
{
	struct arguments harness = { 0 };
	struct pair pair;
	size_t planned;
	bool known;

	select_tests(program->file);
	if (is_question(argc, argv, "--plan"))
		return print_plan(program->name);
	if (is_question(argc, argv, "-l") || is_question(argc, argv, "-h"))
		return program->run(argc, argv);

	law_load();
	known = pair_know(&pair);
	if (!known && pair_open(&pair))
		return absent_pair(&pair);

	harness.vector = calloc(2 + 2 * (tests.end - tests.first),
				sizeof(char *));
	if (!harness.vector)
		abort();
	add_argument(&harness, argv[0]);
	planned = plan_cases(program->name, &pair, &harness, argc, argv);
	if (!known)
		pair_close(&pair);
	if (!planned)
		return skip_program("no case applies to this pair");
	/* The cases will open it, each in a process of its own. */
	klog_prepare();
	if (known) {
		exporter_prepare(pair.exporter.backend.selector);
		importer_prepare(pair.importer.backend.selector);
	}

	/* The harness forks: nothing buffered may be written twice. */
	fflush(stdout);
	return program->run(harness.count, harness.vector);
}

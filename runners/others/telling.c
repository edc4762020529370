// SPDX-License-Identifier: GPL-2.0-only
#include "others/telling.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "others/clauses.h"
#include "stream/text.h"

#define VARIABLE	"DMABUF_CTS_RECORD_FD"
#define NAME_SIZE	128

void telling_begin(struct telling *telling, const char *program,
		   const char *table, char *const *words)
{
	const char *fd = getenv(VARIABLE);

	*telling = (struct telling){
		.program = program,
		.table = table,
		.words = words,
		.records = fd ? fdopen(atoi(fd), "w") : NULL,
		.planned = json_array(),
		.tests = json_object(),
	};
	/* The program has no part in it. */
	if (telling->records)
		fcntl(fileno(telling->records), F_SETFD, FD_CLOEXEC);
	printf("TAP version 13\n");
}

void telling_end(struct telling *telling)
{
	printf("1..%u\n", telling->number);
	fflush(stdout);
	json_decref(telling->planned);
	json_decref(telling->tests);
	if (telling->records)
		fclose(telling->records);
}

/* Whoever reads must have it before anything else happens. */
static void record(struct telling *telling, json_t *record)
{
	if (telling->records) {
		json_dumpf(record, telling->records, JSON_COMPACT);
		fputc('\n', telling->records);
		fflush(telling->records);
	}
	json_decref(record);
}

static bool is_excluded(const struct telling *telling, const char *name)
{
	for (char *const *word = telling->words; word[0] && word[1]; word += 2)
		if (!strcmp(word[0], "-T") && !strcmp(word[1], name))
			return true;
	return false;
}

static bool is_wanted(const struct telling *telling, const char *name)
{
	bool choice = false;

	for (char *const *word = telling->words; word[0] && word[1]; word += 2) {
		if (strcmp(word[0], "-t"))
			continue;
		if (!strcmp(word[1], name))
			return true;
		choice = true;
	}
	return !choice;
}

/* A line of KTAP ends a name at a blank and begins it after a dot. */
static void make_safe(char safe[NAME_SIZE], const char *name)
{
	size_t length = 0;

	for (; *name && length < NAME_SIZE - 8; name++) {
		unsigned char c = *name;

		if (isalnum(c) || strchr("-_@+", c))
			safe[length++] = c;
		else if (length && safe[length - 1] != '-')
			safe[length++] = '-';
	}
	while (length && safe[length - 1] == '-')
		length--;
	if (!length)
		safe[length++] = '-';
	safe[length] = '\0';
}

static void make_unique(const struct telling *telling, char name[NAME_SIZE])
{
	size_t length = strlen(name);

	for (int i = 2; json_object_get(telling->tests, name); i++)
		snprintf(name + length, NAME_SIZE - length, "-%d", i);
}

const char *telling_add(struct telling *telling, const char *name)
{
	json_t *test, *withheld;
	char safe[NAME_SIZE];

	make_safe(safe, name);
	make_unique(telling, safe);
	test = json_pack("{s:s s:b}", "name", safe, "open", 0);
	json_object_set_new(telling->tests, safe, test);
	if (is_excluded(telling, safe) || !is_wanted(telling, safe))
		return NULL;
	withheld = clauses_withheld(telling->table, telling->program, safe);
	if (withheld)
		json_object_set_new(test, "withheld", withheld);
	json_array_append_new(telling->planned, json_pack("{s:s s:[s] s:o}",
		"case", safe, "clauses", CLAUSE_OF_OTHERS, "touches",
		clauses_touched(telling->table, telling->program, safe)));
	return withheld ? NULL : text_member(test, "name", NULL);
}

static void tell_withheld(struct telling *telling, const json_t *planned)
{
	json_t *entry;
	size_t i;

	json_array_foreach(planned, i, entry) {
		const char *name = text_member(entry, "case", "");
		json_t *test = json_object_get(telling->tests, name);
		const char *why = text_member(test, "withheld", NULL);

		if (why)
			telling_test_end(telling, name, OUTCOME_SKIP, why);
	}
}

void telling_announce(struct telling *telling)
{
	record(telling, json_pack("{s:s s:s s:O s:[]}", "type", "plan",
				  "program", telling->program,
				  "cases", telling->planned, "inapplicable"));
	tell_withheld(telling, telling->planned);
	json_array_clear(telling->planned);
}

static long long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void record_case(struct telling *telling, const char *test,
			const char *state)
{
	record(telling, json_pack("{s:s s:s s:s s:I}", "type", "case",
				  "case", test, "state", state, "time_ns",
				  (json_int_t)now_ns()));
}

void telling_line(struct telling *telling, const char *line)
{
	/* Of its own KTAP nothing must be taken for ours. */
	printf("# %s\n", line);
	fflush(stdout);
	if (*line)
		snprintf(telling->last, sizeof(telling->last), "%s", line);
}

void telling_test_begin(struct telling *telling, const char *test)
{
	json_t *state = test ? json_object_get(telling->tests, test) : NULL;

	if (!state || json_is_true(json_object_get(state, "open")))
		return;
	json_object_set_new(state, "open", json_true());
	record_case(telling, test, "start");
}

static const char *const verdicts[] = {
	[OUTCOME_ODD] = "error", [OUTCOME_PASS] = "pass",
	[OUTCOME_SKIP] = "skip", [OUTCOME_FAIL] = "fail",
	[OUTCOME_CRASH] = "crash", [OUTCOME_TIMEOUT] = "timeout",
};

static void print_result(struct telling *telling, const char *test,
			 enum outcome outcome, const char *why)
{
	bool good = outcome == OUTCOME_PASS || outcome == OUTCOME_SKIP;

	printf("%s %u %s.%s", good ? "ok" : "not ok", ++telling->number,
	       telling->program, test);
	if (outcome == OUTCOME_SKIP)
		printf(" # SKIP %s", why);
	putchar('\n');
	fflush(stdout);
}

void telling_test_end(struct telling *telling, const char *test,
		      enum outcome outcome, const char *why)
{
	json_t *state;

	if (!test)
		return;
	telling_test_begin(telling, test);
	state = json_object_get(telling->tests, test);
	if (outcome == OUTCOME_PASS)
		why = "";
	else if (!*why)
		why = "no reason given";
	record(telling, json_pack("{s:s s:s s:s s:s s:s s:o}",
				  "type", "verdict", "case", test,
				  "clause", CLAUSE_OF_OTHERS,
				  "verdict", verdicts[outcome], "strength", "",
				  "reason", json_string(why) ?:
				  json_string("(not UTF-8)")));
	record_case(telling, test, "end");
	json_object_set_new(state, "open", json_false());
	print_result(telling, test, outcome, why);
}

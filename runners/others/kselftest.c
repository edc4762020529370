// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs of the kernel's selftests. What they will test is not known before,
 * and some print no KTAP at all; so a program is a test as well, "program", by
 * its exit status, and each line of its KTAP is one more.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "others/child.h"
#include "others/protocol.h"

#define WHOLE		"program"
/* Of kselftest.h; and of those that are older than it. */
#define EXIT_SKIP	4
#define EXIT_SKIP_OLD	77

struct result {
	bool good;
	bool skipped;
	char name[256];
	char why[256];
};

static void trim(char *text)
{
	size_t length = strlen(text);

	while (length && isspace((unsigned char)text[length - 1]))
		text[--length] = '\0';
}

/* "ok 1 - name # SKIP why" */
static bool read_result(struct result *result, const char *line)
{
	const char *directive;
	unsigned int number;
	int length = 0;

	result->good = strncmp(line, "not ", 4);
	if (sscanf(result->good ? line : line + 4, "ok %u %n", &number,
		   &length) != 1 || !length)
		return false;
	line += length + (result->good ? 0 : 4);
	line += strspn(line, "- ");
	directive = strstr(line, "# ");
	snprintf(result->name, sizeof(result->name), "%.*s",
		 directive ? (int)(directive - line) : (int)strlen(line), line);
	trim(result->name);
	result->skipped = directive && !strncmp(directive, "# SKIP", 6);
	snprintf(result->why, sizeof(result->why), "%s", !directive ? "" :
		 directive + (result->skipped ? 6 : 2));
	return true;
}

static void take_result(struct telling *telling, const struct result *result,
			const char *last)
{
	const char *test = telling_add(telling, result->name);
	const char *why = result->why + strspn(result->why, " ");

	if (!test)
		return;
	telling_announce(telling);
	telling_test_end(telling, test,
			 result->skipped ? OUTCOME_SKIP :
			 result->good ? OUTCOME_PASS : OUTCOME_FAIL,
			 *why ? why : last);
}

static void take_line(void *context, const char *text, size_t length,
		      bool whole)
{
	struct telling *telling = context;
	char line[4097], last[sizeof(telling->last)];
	struct result result;

	(void)whole;
	snprintf(line, sizeof(line), "%.*s", (int)length, text);
	memcpy(last, telling->last, sizeof(last));
	telling_line(telling, line);
	if (read_result(&result, line))
		take_result(telling, &result, last);
}

static enum outcome outcome_of(int status)
{
	switch (WEXITSTATUS(status)) {
	case 0:
		return OUTCOME_PASS;
	case EXIT_SKIP:
	case EXIT_SKIP_OLD:
		return OUTCOME_SKIP;
	default:
		return OUTCOME_FAIL;
	}
}

int kselftest_run(struct telling *telling, char *path)
{
	const char *test = telling_add(telling, WHOLE);
	char *arguments[] = { path, NULL };
	char why[300];
	int status;

	telling_announce(telling);
	telling_test_begin(telling, test);
	status = child_run(arguments, take_line, telling);
	if (status < 0 || WIFSIGNALED(status))
		return status;
	snprintf(why, sizeof(why), "exit status %d%s%s", WEXITSTATUS(status),
		 *telling->last ? ", after: " : "", telling->last);
	telling_test_end(telling, test, outcome_of(status), why);
	return status;
}

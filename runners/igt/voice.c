// SPDX-License-Identifier: GPL-2.0-only
#include "igt/voice.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "stream/version.h"

static const struct {
	const char *verdict;
	enum result result;
} results[] = {
	{ "pass", RESULT_SUCCESS }, { "value", RESULT_SUCCESS },
	{ "warn", RESULT_SUCCESS }, { "skip", RESULT_SKIP },
	{ "refused", RESULT_SKIP }, { "timeout", RESULT_TIMEOUT },
	{ "crash", RESULT_CRASH },
};

static const char *const words[] = {
	[RESULT_SKIP] = "SKIP", [RESULT_SUCCESS] = "SUCCESS",
	[RESULT_FAIL] = "FAIL", [RESULT_TIMEOUT] = "TIMEOUT",
	[RESULT_CRASH] = "CRASH",
};

enum result voice_result(const char *verdict)
{
	for (size_t i = 0; i < sizeof(results) / sizeof(*results); i++)
		if (!strcmp(verdict, results[i].verdict))
			return results[i].result;
	return RESULT_FAIL;
}

/* By these the runner knows what the kernel said when. */
static void mark_kernel_log(const char *test, const char *what, const char *name)
{
	int fd = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	dprintf(fd, "<6>[IGT] %s: starting %s %s\n", test, what, name);
	close(fd);
}

void voice_begin_test(const char *program)
{
	struct utsname kernel;

	uname(&kernel);
	printf("IGT-Version: dmabuf-cts-%s (%s) (%s: %s %s)\n", SUITE_VERSION,
	       kernel.machine, kernel.sysname, kernel.release, kernel.machine);
	printf("Program: %s\n", program);
	fflush(stdout);
}

void voice_begin(const char *test, const char *subtest)
{
	mark_kernel_log(test, "subtest", subtest);
	printf("Starting subtest: %s\n", subtest);
	fflush(stdout);
	/* So that it can tell whose errors are whose. */
	if (getenv("IGT_SENTINEL_ON_STDERR"))
		fprintf(stderr, "Starting subtest: %s\n", subtest);
}

void voice_end(const char *subtest, enum result result, double seconds)
{
	printf("Subtest %s: %s (%.3fs)\n", subtest, words[result], seconds);
	fflush(stdout);
	if (getenv("IGT_SENTINEL_ON_STDERR"))
		fprintf(stderr, "Subtest %s: %s (%.3fs)\n", subtest,
			words[result], seconds);
}

/* Clauses have dots and capitals, which names of subtests have not. */
static void dynamic_name(char *name, size_t size, const char *clause)
{
	size_t length = 0;

	for (; *clause && length < size - 1; clause++)
		name[length++] = isalnum((unsigned char)*clause) ?
				 tolower((unsigned char)*clause) : '-';
	name[length] = '\0';
}

void voice_dynamic(const char *test, const char *clause, enum result result,
		   const char *why)
{
	char name[64];

	dynamic_name(name, sizeof(name), clause);
	mark_kernel_log(test, "dynamic subtest", name);
	printf("Starting dynamic subtest: %s\n", name);
	if (*why)
		printf("%s: %s\n", clause, why);
	printf("Dynamic subtest %s: %s (0.000s)\n", name, words[result]);
	fflush(stdout);
}

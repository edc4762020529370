// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests each pair of an exporter and an importer found here with all programs:
 * a subtest for each pair, in it one for each program that has a case for the
 * two, in which the cases are as the program tells them.
 *
 *	pairs [PROGRAM]...
 *
 * runs only these programs. DMABUF_CTS_EXPORTER and DMABUF_CTS_IMPORTER choose
 * one end: "udmabuf", or "drm" for all instances of that back end.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bare/child.h"
#include "bare/peers.h"
#include "clause/law.h"
#include "kselftest.h"
#include "pair/pair.h"
#include "pair/program.h"

#define PROGRAMS_MAX	64

/* One role: those that are there, and chosen. */
struct ends {
	const char *chosen;	/* NULL: all */
	struct backend *backends;
	size_t count;
};

static struct ends exporters, importers;

static const struct clause_program *programs[PROGRAMS_MAX];
static size_t program_count;

static bool is_chosen(const struct ends *ends, const char *selector)
{
	size_t length;

	if (!ends->chosen || !*ends->chosen)
		return true;
	length = strlen(ends->chosen);
	return !strncmp(selector, ends->chosen, length) &&
	       (selector[length] == '\0' || selector[length] == ':');
}

/* People are told beforehand what will be used. */
static void take(const struct backend *backend, void *context)
{
	struct ends *ends = context;

	if (!is_chosen(ends, backend->selector))
		return;
	for (int i = 0; i < backend->reason_count; i++)
		printf("# no %s: %s\n", backend->selector, backend->reasons[i]);
	if (backend->reason_count)
		return;
	printf("# will use %s (%s%s%s)%s%s\n", backend->selector,
	       backend->driver, *backend->device ? ", " : "", backend->device,
	       *backend->note ? ": " : "", backend->note);
	ends->backends = reallocarray(ends->backends, ends->count + 1,
				      sizeof(*backend));
	if (!ends->backends)
		abort();
	ends->backends[ends->count++] = *backend;
}

static void find_ends(void)
{
	exporters.chosen = getenv(PAIR_EXPORTER_VARIABLE);
	importers.chosen = getenv(PAIR_IMPORTER_VARIABLE);
	for (const struct exporter_ops *const *ops = exporter_registry; *ops; ops++)
		(*ops)->discover(take, &exporters);
	for (const struct importer_ops *const *ops = importer_registry; *ops; ops++)
		(*ops)->discover(take, &importers);
}

static bool add_program(const struct clause_program *program)
{
	if (!program || program_count == PROGRAMS_MAX)
		return false;
	programs[program_count++] = program;
	return true;
}

/* Returns false if one is unknown. */
static bool choose_programs(int argc, char **argv)
{
	const struct clause_program *program;

	for (int i = 1; i < argc; i++) {
		if (!add_program(program_find(argv[i]))) {
			fprintf(stderr, "pairs: no program is called %s\n",
				argv[i]);
			return false;
		}
	}
	if (!program_count)
		for (size_t i = 0; (program = program_number(i)); i++)
			/* That one goes on for a while, and waits to be asked. */
			if (strcmp(program->name, "stress"))
				add_program(program);
	return true;
}

/* How many programs have a case for the pair. */
static size_t count_programs(const struct pair *pair)
{
	size_t count = 0;

	for (size_t i = 0; i < program_count; i++)
		count += program_applies(programs[i], pair);
	return count;
}

typedef void (*pair_visit)(const struct pair *pair, size_t number);

/* Returns how many pairs there are; @visit may be NULL. */
static size_t for_each_pair(pair_visit visit)
{
	size_t count = 0;

	for (size_t i = 0; i < exporters.count; i++) {
		for (size_t j = 0; j < importers.count; j++) {
			struct pair pair = {
				.exporter.backend = exporters.backends[i],
				.importer.backend = importers.backends[j],
			};

			if (child_stopped() || !count_programs(&pair))
				continue;
			count++;
			if (visit)
				visit(&pair, count);
		}
	}
	return count;
}

/* In the child: the program, whose words go to @out. */
static int run_program(const struct clause_program *program,
		       const struct pair *pair, int out)
{
	char *arguments[] = { (char *)program->name, NULL };

	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
	setenv(PAIR_EXPORTER_VARIABLE, pair->exporter.backend.selector, 1);
	setenv(PAIR_IMPORTER_VARIABLE, pair->importer.backend.selector, 1);
	return program_run(program, 1, arguments);
}

/* As a subtest of a subtest. */
static void indent(int fd)
{
	FILE *words = fdopen(fd, "r");
	char *line = NULL;
	size_t size = 0;

	while (words && getline(&line, &size, words) > 0) {
		printf("    %s", line);
		if (!strchr(line, '\n'))
			putchar('\n');
		fflush(stdout);
	}
	free(line);
	if (words)
		fclose(words);
	else
		close(fd);
}

static int test_program(const struct clause_program *program,
			const struct pair *pair)
{
	int words[2];
	pid_t child;

	if (pipe(words)) {
		perror("pairs: cannot make a pipe");
		return KSFT_FAIL;
	}
	child = child_start();
	if (!child)
		exit(run_program(program, pair, words[1]));
	close(words[1]);
	indent(words[0]);
	return child_wait(child);
}

static bool result_line(const char *margin, size_t number, int status,
			const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Returns whether it was good. */
static bool result_line(const char *margin, size_t number, int status,
			const char *format, ...)
{
	bool good = status == KSFT_PASS || status == KSFT_SKIP;
	va_list arguments;

	printf("%s%sok %zu ", margin, good ? "" : "not ", number);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	if (status == KSFT_SKIP)
		printf(" # SKIP");
	else if (status > KSFT_FAIL)
		printf(" # exit=%d", status);
	putchar('\n');
	return good;
}

static size_t bad_pairs;

static void test_pair(const struct pair *pair, size_t number)
{
	const char *from = pair->exporter.backend.selector;
	const char *to = pair->importer.backend.selector;
	size_t done = 0;
	bool good = true;

	printf("  KTAP version 1\n  # Subtest: %s,%s\n  1..%zu\n", from, to,
	       count_programs(pair));
	for (size_t i = 0; i < program_count && !child_stopped(); i++) {
		int status;

		if (!program_applies(programs[i], pair))
			continue;
		status = test_program(programs[i], pair);
		good &= result_line("  ", ++done, status, "%s",
				    programs[i]->name);
	}
	bad_pairs += !result_line("", number, good ? KSFT_PASS : KSFT_FAIL,
				  "%s,%s", from, to);
}

static int test_all(void)
{
	size_t count = for_each_pair(NULL);

	if (!count) {
		printf("1..0 # SKIP no pair was found that a program has a case for\n");
		return KSFT_SKIP;
	}
	printf("1..%zu\n", count);
	for_each_pair(test_pair);
	return bad_pairs || child_stopped() ? KSFT_FAIL : KSFT_PASS;
}

int main(int argc, char **argv)
{
	int status;

	if (!choose_programs(argc, argv))
		return KSFT_FAIL;
	printf("KTAP version 1\n");
	child_prepare();
	peers_load();
	law_load();
	find_ends();
	status = test_all();
	peers_unload();
	return status;
}

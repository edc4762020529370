// SPDX-License-Identifier: GPL-2.0-only
/*
 * Adds up TAP files: tally FILE...
 *
 * Counts the results at the outer level of each file, names those that failed
 * with what the file says of them, which is often all that is seen of a run
 * elsewhere, and ends with "N passed, N failed, N skipped" alone on a line. A
 * file without a plan, or with another number of results than planned, counts
 * as one more failure: a test program that died early must not look good.
 *
 * Exit status: 0 if nothing failed, 1 if something did, 2 if a file cannot be
 * read or none was given.
 */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines said of one failed result: enough for a command and the end of its output. */
#define LINES_SAID 24

struct counts {
	unsigned long passed;
	unsigned long failed;
	unsigned long skipped;
};

static bool starts_with(const char *line, const char *word)
{
	size_t length = strlen(word);

	return !strncmp(line, word, length) &&
	       (line[length] == '\0' || isspace((unsigned char)line[length]));
}

/* A directive is "# SKIP" or "# TODO" in any case, after the description. */
static bool has_directive(const char *line, const char *word)
{
	const char *hash = line;

	while ((hash = strchr(hash, '#'))) {
		hash += 1 + strspn(hash + 1, " \t");
		if (!strncasecmp(hash, word, strlen(word)))
			return true;
	}
	return false;
}

/* What counts must be told of; returns how many of the lines that follow are part of it. */
static int count_line(const char *file, const char *line, struct counts *counts)
{
	bool good = starts_with(line, "ok");

	if (!good && !starts_with(line, "not ok"))
		return 0;
	if (has_directive(line, "SKIP") || has_directive(line, "TODO")) {
		counts->skipped++;
	} else if (good) {
		counts->passed++;
	} else {
		counts->failed++;
		printf("%s: %s\n", file, line);
		return LINES_SAID;
	}
	return 0;
}

static unsigned long results(const struct counts *counts)
{
	return counts->passed + counts->failed + counts->skipped;
}

static void add_file(const char *file, FILE *in, struct counts *total)
{
	struct counts counts = { 0 };
	long planned = -1;
	char *line = NULL;
	size_t size = 0;
	int to_say = 0;

	while (getline(&line, &size, in) >= 0) {
		line[strcspn(line, "\r\n")] = '\0';
		if (!strncmp(line, "1..", 3))
			planned = strtol(line + 3, NULL, 10);
		if (line[0] == '#' && to_say > 0) {
			printf("%s\n", line);
			to_say--;
			continue;
		}
		to_say = count_line(file, line, &counts);
	}
	free(line);

	if (planned < 0 || (unsigned long)planned != results(&counts)) {
		printf("%s: %lu results, planned %ld\n", file,
		       results(&counts), planned);
		counts.failed++;
	}
	total->passed += counts.passed;
	total->failed += counts.failed;
	total->skipped += counts.skipped;
}

int main(int argc, char **argv)
{
	struct counts total = { 0 };

	if (argc < 2) {
		fprintf(stderr, "usage: tally FILE...\n");
		return 2;
	}
	for (int i = 1; i < argc; i++) {
		FILE *in = fopen(argv[i], "r");

		if (!in) {
			fprintf(stderr, "tally: cannot read %s: %s\n", argv[i],
				strerror(errno));
			return 2;
		}
		add_file(argv[i], in, &total);
		fclose(in);
	}
	printf("%lu passed, %lu failed, %lu skipped\n", total.passed,
	       total.failed, total.skipped);
	return total.failed > 0;
}

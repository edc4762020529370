// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the monitor costs whom it watches, beside the kernel's function tracer on
 * the same functions and bpftrace counting the same calls. Runs as the guest's
 * only program; its table goes to stdout. The work is done by this program again,
 * which each of them starts.
 */
#include <stdlib.h>
#include <unistd.h>

#include "overhead.h"

#define ROUNDS	5
#define RESULT	"/tmp/result"

static int work(void)
{
	double ns[WORKS];
	FILE *out;

	if (work_measure(ns))
		return 1;
	out = fopen(RESULT, "we");
	if (!out)
		return 1;
	for (int i = 0; i < WORKS; i++)
		fprintf(out, "%f\n", ns[i]);
	return fclose(out) ? 1 : 0;
}

static int watch(const struct tracer *tracer, char *self, double ns[WORKS])
{
	char *const command[] = { self, "--work", NULL };
	int status, found = 0;
	FILE *in;

	unlink(RESULT);
	status = tracer->run(command);
	in = fopen(RESULT, "re");
	for (int i = 0; in && i < WORKS; i++)
		found += fscanf(in, "%lf", &ns[i]);
	if (in)
		fclose(in);
	if (found == WORKS)
		return 0;
	fprintf(stderr, "overhead: nothing was measured under %s (status %#x)\n",
		tracer->name, status);
	return 1;
}

static int ascending(const void *first, const void *second)
{
	const double *a = first, *b = second;

	return (*a > *b) - (*a < *b);
}

static double median(double *values)
{
	qsort(values, ROUNDS, sizeof(*values), ascending);
	return values[ROUNDS / 2];
}

static void print_table(double ns[TRACERS][WORKS][ROUNDS])
{
	for (int i = 0; i < WORKS; i++) {
		printf("%-20s %12s %20s\n", work_names[i], "microseconds",
		       "times that of nobody");
		for (int j = 0; j < TRACERS; j++)
			printf("  %-18s %12.1f %20.2f\n", tracers[j].name,
			       median(ns[j][i]) / 1e3,
			       median(ns[j][i]) / median(ns[0][i]));
	}
}

int main(int argc, char **argv)
{
	static double ns[TRACERS][WORKS][ROUNDS];
	double seen[WORKS];

	if (argc > 1)
		return work();
	/* One after another, round by round: all of them meet the same weather. */
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < TRACERS; i++) {
			if (watch(&tracers[i], argv[0], seen))
				return 1;
			for (int j = 0; j < WORKS; j++)
				ns[i][j][round] = seen[j];
		}
	print_table(ns);
	return 0;
}

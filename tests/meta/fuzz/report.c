// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program that prints whatever the fuzzer comes up with for KTAP, and an agent
 * that writes whatever it comes up with for records: lines that begin with '{' are
 * records of the stream, all others are what the program of a running case prints.
 *
 * What is looked for are crashes, what the sanitizers see, and results that are lost
 * or there twice: the TAP that comes out must have each leaf once, by its own name,
 * and the totals must be those of the leaves.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "report/intake.h"
#include "report/ktap.h"
#include "report/life.h"
#include "report/results.h"
#include "stream/line.h"
#include "stream/text.h"

#define LINE_LIMIT	(1 << 20)

/* As far as a program is heard: one case has begun, another is to come. */
static const char *const preface[] = {
	"{\"type\":\"hello\",\"schema\":1,\"suite\":\"0\",\"mode\":\"vm\"}",
	"{\"type\":\"environment\",\"kernel\":{\"release\":\"7.3\",\"series\":\"7.3\"}}",
	"{\"type\":\"schedule\",\"jobs\":[{\"job\":1,\"exporter\":\"e\",\"importer\":\"i\",\"program\":\"pin\",\"fault\":null}]}",
	"{\"type\":\"job\",\"job\":1,\"state\":\"start\",\"exporter\":\"e\",\"importer\":\"i\",\"program\":\"pin\"}",
	"{\"type\":\"plan\",\"job\":1,\"cases\":[{\"case\":\"holds\",\"clauses\":[\"PIN-01\",\"PIN-02\"]},{\"case\":\"waits\",\"clauses\":[\"PIN-03\"]}],\"inapplicable\":[{\"case\":\"moves\",\"reason\":\"no\"}]}",
	"{\"type\":\"case\",\"job\":1,\"case\":\"holds\",\"state\":\"start\",\"time_ns\":1}",
	"{\"type\":\"verdict\",\"job\":1,\"case\":\"holds\",\"clause\":\"PIN-01\",\"verdict\":\"pass\",\"subject\":{}}",
};

struct world {
	struct run run;
	struct folder folder;
	struct ktap ktap;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void take(struct world *world, const char *text, size_t length,
		 bool whole)
{
	json_decref(intake_line(&world->run, text, length, whole));
	ktap_advance(&world->ktap, &world->run);
}

static void print(struct world *world, const char *text, size_t length)
{
	json_t *record = json_pack("{s:s s:i}", "type", "output", "job", 1);
	char *line;

	text_put(record, text, length);
	line = json_dumps(record, JSON_COMPACT);
	if (!line)
		abort();
	take(world, line, strlen(line), true);
	free(line);
	json_decref(record);
}

static void take_line(void *context, const char *text, size_t length,
		      bool whole)
{
	if (length && *text == '{')
		take(context, text, length, whole);
	else
		print(context, text, length);
}

static void feed(struct world *world, const char *data, size_t size)
{
	struct line_reader reader;

	if (!line_reader_init(&reader, LINE_LIMIT, take_line, world))
		abort();
	for (size_t i = 0; i < sizeof(preface) / sizeof(*preface); i++)
		take(world, preface[i], strlen(preface[i]), true);
	line_reader_feed(&reader, data, size);
	line_reader_finish(&reader);
	line_reader_release(&reader);
}

static void fail(const char *what, const char *line)
{
	fprintf(stderr, "%s: %s\n", what, line);
	abort();
}

/* "ok 1 - NAME # SKIP why", "not ok 2 - NAME" */
static void take_tap_line(json_t *names, char *line)
{
	char *name = strstr(line, " - ");

	if (strncmp(line, "ok ", 3) && strncmp(line, "not ok ", 7))
		return;
	if (!name)
		fail("a result without a name", line);
	line[strcspn(line, "#")] = '\0';
	if (json_object_get(names, name))
		fail("a name is there twice", name);
	if (json_object_set_new(names, name, json_true()))
		fail("a name that no file can hold", name);
}

static void check_tap(int fd, size_t leaves)
{
	FILE *file = fdopen(dup(fd), "r");
	json_t *names = json_object();
	size_t room = 0, plan = 0;
	char *line = NULL;

	rewind(file);
	while (getline(&line, &room, file) > 0) {
		line[strcspn(line, "\n")] = '\0';
		sscanf(line, "1..%zu", &plan);
		take_tap_line(names, line);
	}
	if (json_object_size(names) != leaves || plan != leaves)
		fail("leaves are lost", "run.tap");
	json_decref(names);
	free(line);
	fclose(file);
}

static void check_totals(const struct run *run, struct totals *totals)
{
	size_t sum = 0;

	*totals = totals_of(run, SHARE_ALL);
	for (int verdict = 1; verdict < VERDICT_COUNT; verdict++)
		sum += totals->by_verdict[verdict];
	if (sum != totals->leaves || totals->by_verdict[VERDICT_NONE] ||
	    totals->ok + totals->not_ok + totals->skipped != totals->leaves)
		fail("totals do not add up", "");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int tap = memfd_create("run.tap", MFD_CLOEXEC);
	struct world world = {
		.folder = { .stream.fd = -1, .ktap.fd = -1, .tap.fd = tap },
		.ktap.folder = &world.folder,
	};
	struct totals totals;

	run_init(&world.run);
	feed(&world, (const char *)data, size);
	life_finish(&world.run);
	ktap_advance(&world.ktap, &world.run);
	ktap_finish(&world.ktap);
	check_totals(&world.run, &totals);
	check_tap(tap, totals.leaves);
	run_release(&world.run);
	close(tap);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "agent/leaks.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/emit.h"
#include "stream/text.h"

/* kmemleak does not speak of what is younger, and sees first what changes. */
#define AGE_S		6
#define SCANS		2
#define CALLERS_MAX	12
#define LEAKS_MAX	100

static const char *file;

static bool order(const char *word)
{
	int fd = open(file, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, word, strlen(word)) > 0;

	if (fd >= 0)
		close(fd);
	return done;
}

static bool scan(void)
{
	for (int i = 0; i < SCANS; i++) {
		emit_heartbeat();
		emit_flush();
		if (!order("scan"))
			return false;
	}
	return true;
}

void leaks_begin(const char *path)
{
	file = path;
	if (access(path, W_OK) || !scan() || !order("clear"))
		file = NULL;
}

/* "unreferenced object 0xffff888003b9f200 (size 192):" */
static json_t *new_leak(const char *line)
{
	const char *size = strstr(line, "(size ");

	return json_pack("{s:s s:i s:s s:[]}", "type", "leak", "size",
			 size ? atoi(size + strlen("(size ")) : 0,
			 "task", "?", "callers");
}

/* "comm "pin", pid 85, jiffies 4294894720" */
static void take_task(json_t *leak, const char *line)
{
	char task[64];

	if (sscanf(line, " comm \"%63[^\"]", task) == 1)
		json_object_set_new(leak, "task", json_string(task));
}

/* "[<ffffffff81234567>] kmalloc+0x12/0x34", or without the address */
static void take_caller(json_t *leak, const char *line)
{
	json_t *callers = json_object_get(leak, "callers");
	const char *name = strstr(line, "] ");

	name = name ? name + 2 : line + strspn(line, " ");
	if (json_array_size(callers) < CALLERS_MAX)
		json_array_append_new(callers, json_stringn(name,
							strcspn(name, "+\n")));
}

static void finish(json_t *leak)
{
	if (leak)
		emit(leak);
}

static int tell(FILE *report)
{
	json_t *leak = NULL;
	bool in_callers = false;
	char line[512];
	int count = 0;

	while (fgets(line, sizeof(line), report)) {
		if (!strncmp(line, "unreferenced object", 19)) {
			finish(leak);
			leak = count++ < LEAKS_MAX ? new_leak(line) : NULL;
			in_callers = false;
		} else if (leak && strstr(line, "backtrace")) {
			in_callers = true;
		} else if (leak && in_callers) {
			take_caller(leak, line);
		} else if (leak && strstr(line, " comm \"")) {
			take_task(leak, line);
		}
	}
	finish(leak);
	return count;
}

void leaks_tell(void)
{
	FILE *report;
	int count;

	if (!file)
		return;
	sleep(AGE_S);
	report = scan() ? fopen(file, "re") : NULL;
	if (!report) {
		emit_note("kmemleak gave up: what leaked is not known");
		return;
	}
	count = tell(report);
	fclose(report);
	emit_note("kmemleak looked for memory that nobody frees%s",
		  count > LEAKS_MAX ? ", and found more than is told" : "");
}

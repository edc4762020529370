// SPDX-License-Identifier: GPL-2.0-only
#include "agent/emit.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/clock.h"
#include "stream/text.h"

#define HEARTBEAT_MS	1000
#define GATHERED_MAX	32768
/* A check that found nothing can wait for so long: less than a turn takes. */
#define WAIT_MS		40

static bool reader_left;
static bool to_people;
static long long last_write_ms;
static char gathered[GATHERED_MAX];
static size_t gathered_length;
static long long gathered_since_ms;
static bool pressing;		/* some of it cannot wait */

static void wait_for_room(void)
{
	struct pollfd room = { .fd = STDOUT_FILENO, .events = POLLOUT };

	poll(&room, 1, -1);
}

static void write_all(const char *text, size_t length)
{
	while (length && !reader_left) {
		ssize_t done = write(STDOUT_FILENO, text, length);

		if (done >= 0) {
			text += done;
			length -= done;
		} else if (errno == EAGAIN) {
			wait_for_room();
		} else if (errno != EINTR) {
			fprintf(stderr, "cts-agent: cannot write the stream: "
				"%s\n", strerror(errno));
			reader_left = true;
		}
	}
	last_write_ms = clock_ms();
}

void emit_flush(void)
{
	size_t length = gathered_length;

	gathered_length = 0;
	pressing = false;
	if (length)
		write_all(gathered, length);
}

void emit_flush_due(void)
{
	if (pressing || clock_ms() - gathered_since_ms >= WAIT_MS)
		emit_flush();
}

static void make_room(size_t length)
{
	if (length > GATHERED_MAX - gathered_length)
		emit_flush();
}

static void gather(const char *text, size_t length)
{
	make_room(length);
	if (length > GATHERED_MAX) {
		write_all(text, length);
		return;
	}
	if (!gathered_length)
		gathered_since_ms = clock_ms();
	memcpy(gathered + gathered_length, text, length);
	gathered_length += length;
}

void emit(json_t *record)
{
	char *text = record ? json_dumps(record, JSON_COMPACT) : NULL;
	size_t length;

	json_decref(record);
	if (!text) {
		fprintf(stderr, "cts-agent: a record is lost: no memory\n");
		return;
	}
	/* The terminator's place takes the newline. */
	length = strlen(text);
	text[length] = '\n';
	gather(text, length + 1);
	pressing = true;
	free(text);
}

#define NUMBER_SIZE	12

/* As printf() does, which takes longer than all the rest of a record. */
static char *put_number(char *to, int number)
{
	char digits[NUMBER_SIZE];
	unsigned int left = number;
	int count = 0;

	if (number < 0) {
		*to++ = '-';
		left = -left;
	}
	do
		digits[count++] = '0' + left % 10;
	while (left /= 10);
	while (count)
		*to++ = digits[--count];
	*to = '\0';
	return to;
}

void emit_with_job(const char *text, size_t length, int job, bool can_wait)
{
	char member[16 + NUMBER_SIZE];
	char *end = stpcpy(member, ",\"job\":");

	end = stpcpy(put_number(end, job), "}\n");
	make_room(length + sizeof(member));
	/* The place of its last brace takes the comma. */
	gather(text, length - 1);
	gather(member, end - member);
	pressing |= !can_wait;
}

static void emit_text(json_t *record, const char *format, va_list arguments)
{
	char *text;
	int length = vasprintf(&text, format, arguments);

	if (length < 0) {
		emit(record);
		return;
	}
	if (to_people) {
		fprintf(stderr, "cts-agent: %s\n", text);
		json_decref(record);
	} else {
		text_put(record, text, length);
		emit(record);
	}
	free(text);
}

void emit_to_people(void)
{
	to_people = true;
}

void emit_note(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	emit_text(json_pack("{s:s}", "type", "note"), format, arguments);
	va_end(arguments);
}

void emit_error(int status, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	emit_text(json_pack("{s:s s:i}", "type", "error", "exit", status),
		  format, arguments);
	va_end(arguments);
}

/* Returns the end of what was put; NULL for bytes that take more thought. */
static char *put_plain(char *to, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '"' || text[i] == '\\')
			*to++ = '\\';
		else if (text[i] < ' ' || text[i] > '~')
			return NULL;
		*to++ = text[i];
	}
	return to;
}

/* What is printed is nearly always ASCII, of which JSON is made in place. */
static bool gather_plain(const char *members, const char *text, size_t length,
			 bool whole)
{
	size_t most = strlen(members) + 2 * length + 64;
	char *to;

	if (most > GATHERED_MAX)
		return false;
	make_room(most);
	to = stpcpy(gathered + gathered_length, "{");
	to = stpcpy(stpcpy(to, members), ",\"text\":\"");
	to = put_plain(to, text, length);
	if (!to)
		return false;
	to = stpcpy(to, whole ? "\"}\n" : "\",\"part\":true}\n");
	gathered_length = to - gathered;
	pressing = true;
	return true;
}

void emit_said(const char *members, const char *text, size_t length, bool whole)
{
	char head[MEMBERS_SIZE + 2];
	json_t *record;

	if (gather_plain(members, text, length, whole))
		return;
	snprintf(head, sizeof(head), "{%s}", members);
	record = json_loads(head, 0, NULL);
	text_put(record, text, length);
	if (!whole)
		json_object_set_new(record, "part", json_true());
	emit(record);
}

void emit_bytes(const char *type, int job, const char *text, size_t length,
		bool whole)
{
	char members[MEMBERS_SIZE];
	char *end = stpcpy(stpcpy(members, "\"type\":\""), type);

	put_number(stpcpy(end, "\",\"job\":"), job);
	emit_said(members, text, length, whole);
}

void emit_heartbeat(void)
{
	if (!to_people && clock_ms() - last_write_ms >= HEARTBEAT_MS)
		emit(json_pack("{s:s}", "type", "heartbeat"));
}

bool emit_reader_left(void)
{
	return reader_left;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "agent/kmsg.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/emit.h"

/* As long as the kernel's own longest record. */
#define RECORD_SIZE		8192
#define MESSAGES_PER_TURN	256

static int fd = -1;
static bool ended;		/* it has an end, where the kernel's own log waits */
static char oops[256];
static unsigned long count;

/*
 * How the kernel begins to tell that it, and not a test, has gone wrong. A process
 * that dies of a general protection fault is told with " ip:" behind the words.
 */
static const char *const oops_signs[] = {
	"BUG: unable to handle", "BUG: kernel NULL pointer", "kernel BUG at",
	"Oops:", "general protection fault:", "general protection fault,",
	"Kernel panic", "stack segment:", "watchdog: BUG:", "KASAN:",
	"BUG: Bad page", "double fault:",
};

int kmsg_open(const char *path)
{
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return errno;
	if (lseek(fd, 0, SEEK_END) < 0 && errno != ESPIPE) {
		int error = errno;

		kmsg_close();
		return error;
	}
	return 0;
}

int kmsg_fd(void)
{
	return ended ? -1 : fd;
}

unsigned long kmsg_count(void)
{
	return count;
}

const char *kmsg_oops(void)
{
	return oops;
}

void kmsg_close(void)
{
	if (fd >= 0)
		close(fd);
	fd = -1;
}

static void look_for_oops(const char *text)
{
	for (size_t i = 0; i < sizeof(oops_signs) / sizeof(*oops_signs); i++)
		if (!*oops && strstr(text, oops_signs[i]))
			snprintf(oops, sizeof(oops), "%s", text);
}

/* The first members of a record. */
static int begin_members(char members[MEMBERS_SIZE], int job)
{
	if (!job)
		return snprintf(members, MEMBERS_SIZE, "\"type\":\"kernel\"");
	return snprintf(members, MEMBERS_SIZE, "\"type\":\"kernel\",\"job\":%d",
			job);
}

/* "priority,sequence,time,flags;text", then lines of a dictionary. */
static void emit_message(int job, char *message)
{
	unsigned long long sequence, time_us;
	unsigned int priority;
	char *text = strchr(message, ';');
	char members[MEMBERS_SIZE];
	int length;

	if (!text || sscanf(message, "%u,%llu,%llu", &priority, &sequence,
			    &time_us) != 3)
		return;
	text++;
	text[strcspn(text, "\n")] = '\0';
	look_for_oops(text);

	length = begin_members(members, job);
	snprintf(members + length, MEMBERS_SIZE - length,
		 ",\"level\":%u,\"time_us\":%lld", priority & 7,
		 (long long)time_us);
	emit_said(members, text, strlen(text), true);
}

static void emit_gap(int job)
{
	static const char text[] = "(messages were overwritten before they "
				   "could be read)";
	char members[MEMBERS_SIZE];
	int length = begin_members(members, job);

	snprintf(members + length, MEMBERS_SIZE - length, ",\"lost\":true");
	emit_said(members, text, strlen(text), true);
}

void kmsg_drain(int job)
{
	char message[RECORD_SIZE + 1];

	for (int i = 0; i < MESSAGES_PER_TURN && fd >= 0; i++) {
		ssize_t length = read(fd, message, RECORD_SIZE);

		if (length > 0) {
			count++;
			message[length] = '\0';
			emit_message(job, message);
		} else if (length < 0 && errno == EPIPE) {
			emit_gap(job);
		} else {
			ended = length == 0;
			return;
		}
	}
}

// SPDX-License-Identifier: GPL-2.0-only
#include "agent/kmsg.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/emit.h"
#include "stream/text.h"

/* As long as the kernel's own longest record. */
#define RECORD_SIZE		8192
#define MESSAGES_PER_TURN	256

static int fd = -1;
static char oops[256];

/* How the kernel begins to tell that it, and not a test, has gone wrong. */
static const char *const oops_signs[] = {
	"BUG: unable to handle", "BUG: kernel NULL pointer", "kernel BUG at",
	"Oops:", "general protection fault", "Kernel panic", "stack segment:",
	"watchdog: BUG:", "KASAN:", "BUG: Bad page", "double fault:",
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
	return fd;
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

static json_t *new_record(int job)
{
	json_t *record = json_pack("{s:s}", "type", "kernel");

	if (job)
		json_object_set_new(record, "job", json_integer(job));
	return record;
}

/* "priority,sequence,time,flags;text", then lines of a dictionary. */
static void emit_message(int job, char *message)
{
	unsigned long long sequence, time_us;
	unsigned int priority;
	char *text = strchr(message, ';');
	json_t *record;

	if (!text || sscanf(message, "%u,%llu,%llu", &priority, &sequence,
			    &time_us) != 3)
		return;
	text++;
	text[strcspn(text, "\n")] = '\0';
	look_for_oops(text);

	record = new_record(job);
	json_object_set_new(record, "level", json_integer(priority & 7));
	json_object_set_new(record, "time_us", json_integer(time_us));
	text_put(record, text, strlen(text));
	emit(record);
}

static void emit_gap(int job)
{
	static const char text[] = "(messages were overwritten before they "
				   "could be read)";
	json_t *record = new_record(job);

	json_object_set_new(record, "lost", json_true());
	text_put(record, text, strlen(text));
	emit(record);
}

void kmsg_drain(int job)
{
	char message[RECORD_SIZE + 1];

	for (int i = 0; i < MESSAGES_PER_TURN && fd >= 0; i++) {
		ssize_t length = read(fd, message, RECORD_SIZE);

		if (length > 0) {
			message[length] = '\0';
			emit_message(job, message);
		} else if (length < 0 && errno == EPIPE) {
			emit_gap(job);
		} else {
			return;
		}
	}
}

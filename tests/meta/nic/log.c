// SPDX-License-Identifier: GPL-2.0-only
/* A guest cannot fill the disk with what the server says of it. */
#include "kselftest_harness.h"

#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "nic/log.h"

FIXTURE(log)
{
	int file;
	int before;	/* standard error */
};

FIXTURE_SETUP(log)
{
	self->file = memfd_create("log", MFD_CLOEXEC);
	self->before = dup(STDERR_FILENO);
	ASSERT_GE(dup2(self->file, STDERR_FILENO), 0);
}

FIXTURE_TEARDOWN(log)
{
	dup2(self->before, STDERR_FILENO);
	close(self->before);
	close(self->file);
}

static unsigned int lines(int file)
{
	static char text[1 << 20];
	ssize_t length = pread(file, text, sizeof(text), 0);
	unsigned int count = 0;

	for (ssize_t i = 0; i < length; i++)
		count += text[i] == '\n';
	return count;
}

/* Early in a second, so that what follows is within it. */
static void wait_for_a_second(void)
{
	struct timespec now;

	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while (now.tv_nsec > 200000000);
}

TEST_F(log, a_flood_is_cut)
{
	wait_for_a_second();
	for (int i = 0; i < 5000; i++)
		log_line(LOG_FAULT, "nic0", "fault %d", i);
	ASSERT_GE(lines(self->file), 200);
	ASSERT_LE(lines(self->file), 2 * 200 + 1);
}

TEST_F(log, who_asks_for_more_gets_all)
{
	log_show(LOG_COMMAND);
	for (int i = 0; i < 1000; i++)
		log_line(LOG_FAULT, "nic0", "fault %d", i);
	ASSERT_EQ(1000, lines(self->file));
}

TEST_F(log, levels_are_kept)
{
	log_line(LOG_COMMAND, "nic0", "not shown");
	ASSERT_EQ(0, lines(self->file));
	log_show(LOG_COMMAND);
	log_line(LOG_COMMAND, NULL, "shown");
	log_line(LOG_DETAIL, "nic0", "not shown");
	ASSERT_EQ(1, lines(self->file));
	log_show(LOG_NOTHING);
	log_line(LOG_FAULT, "nic0", "not shown");
	ASSERT_EQ(1, lines(self->file));
}

TEST_F(log, a_line_has_an_end)
{
	char text[2000], line[2000];
	ssize_t length;

	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	log_line(LOG_FAULT, "nic0", "%s", text);
	length = pread(self->file, line, sizeof(line), 0);
	ASSERT_LT(500, length);
	ASSERT_GT(600, length);
	ASSERT_EQ('\n', line[length - 1]);
}

TEST_HARNESS_MAIN

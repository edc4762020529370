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

static time_t second(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

TEST_F(log, a_flood_is_cut)
{
	time_t start = second(), end;
	char text[256] = "";
	unsigned int count;

	for (int i = 0; i < 5000; i++)
		log_line(LOG_FAULT, "nic0", "fault %d", i);
	end = second();
	count = lines(self->file);
	ASSERT_GE(count, 200);
	/* A line more in each second tells how many are missing. */
	ASSERT_LE(count, (end - start + 1) * 201);
	while (second() == end)
		;
	log_line(LOG_FAULT, "nic0", "one more");
	ASSERT_LT(0, pread(self->file, text, sizeof(text) - 1,
			   lseek(self->file, 0, SEEK_END) - 100));
	ASSERT_NE(NULL, strstr(text, " lines were left out\n"));
	ASSERT_NE(NULL, strstr(text, "nic0: one more\n"));
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

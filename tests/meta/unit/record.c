// SPDX-License-Identifier: GPL-2.0-only
/* Records come out whole, in order and one write() each, unless gathered. */
#include "kselftest_harness.h"

#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/record.h"

#define EXIT_CANNOT_JUDGE	125

/* Each write() is one message of the socket. */
FIXTURE(record) {
	int ends[2];
	char message[8 * PIPE_BUF];
};

static void hand_on(const char *variable, int fd)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", fd);
	setenv(variable, text, 1);
}

FIXTURE_SETUP(record)
{
	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_SEQPACKET, 0, self->ends));
	hand_on(RECORD_FD_VARIABLE, self->ends[1]);
}

FIXTURE_TEARDOWN(record)
{
	unsetenv(RECORD_FD_VARIABLE);
	close(self->ends[0]);
	close(self->ends[1]);
}

static void write_one(const char *text)
{
	struct record_writer record;

	if (!record_begin(&record, "test"))
		return;
	writer_text(&record, "text", text);
	record_end(&record);
}

/* The next message, or "" if there is none. */
static const char *receive(FIXTURE_DATA(record) *self)
{
	ssize_t length = recv(self->ends[0], self->message,
			      sizeof(self->message) - 1, MSG_DONTWAIT);

	self->message[length < 0 ? 0 : length] = '\0';
	return self->message;
}

#define LINE(text)	"{\"type\":\"test\",\"text\":\"" text "\"}\n"

TEST_F(record, one_write_each)
{
	write_one("a");
	record_write(json_pack("{s:s s:s}", "type", "test", "text", "b"));
	EXPECT_STREQ(LINE("a"), receive(self));
	EXPECT_STREQ(LINE("b"), receive(self));
	EXPECT_STREQ("", receive(self));
}

TEST_F(record, none_without_a_runner)
{
	struct record_writer record;

	unsetenv(RECORD_FD_VARIABLE);
	EXPECT_FALSE(record_begin(&record, "test"));
	EXPECT_STREQ("", receive(self));
}

TEST_F(record, what_is_gathered_comes_at_once)
{
	record_gather();
	write_one("a");
	record_write(json_pack("{s:s s:s}", "type", "test", "text", "b"));
	write_one("c");
	EXPECT_STREQ("", receive(self));
	record_flush();
	EXPECT_STREQ(LINE("a") LINE("b") LINE("c"), receive(self));
	write_one("d");
	EXPECT_STREQ(LINE("d"), receive(self));
}

/* No message is longer than a pipe takes in one piece, but for one record. */
TEST_F(record, no_more_is_gathered_than_a_pipe_takes)
{
	char text[2 * PIPE_BUF];
	size_t lines = 0;

	memset(text, 'x', sizeof(text));
	text[PIPE_BUF / 3] = '\0';
	record_gather();
	for (int i = 0; i < 7; i++)
		write_one(text);
	record_flush();
	while (*receive(self)) {
		size_t length = strlen(self->message);

		EXPECT_LE(length, PIPE_BUF);
		EXPECT_EQ('\n', self->message[length - 1]);
		for (size_t i = 0; i < length; i++)
			lines += self->message[i] == '\n';
	}
	EXPECT_EQ(7, lines);
}

TEST_F(record, one_that_is_longer_keeps_its_place)
{
	char text[2 * PIPE_BUF];

	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	record_gather();
	write_one("a");
	write_one(text);
	write_one("b");
	record_flush();
	EXPECT_STREQ(LINE("a"), receive(self));
	EXPECT_EQ(sizeof(text) - 1 + strlen(LINE("")), strlen(receive(self)));
	EXPECT_STREQ(LINE("b"), receive(self));
}

/* Dies in a process of its own, whose exit status is returned. */
static int write_nowhere(void)
{
	int status = -1;
	pid_t child = fork();

	if (!child) {
		hand_on(RECORD_FD_VARIABLE,
			open("/dev/full", O_WRONLY | O_CLOEXEC));
		write_one("a");
		_exit(0);
	}
	waitpid(child, &status, 0);
	return WEXITSTATUS(status);
}

TEST_F(record, none_is_lost_in_silence)
{
	EXPECT_EQ(EXIT_CANNOT_JUDGE, write_nowhere());
}

/* How often it was rung since this was asked last; 0 without a bell. */
static eventfd_t rung(int bell)
{
	eventfd_t times = 0;

	eventfd_read(bell, &times);
	return times;
}

TEST_F(record, the_bell_is_for_what_must_not_wait)
{
	int bell = eventfd(0, EFD_NONBLOCK);
	char text[PIPE_BUF];
	size_t lines = 0;

	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	hand_on(RECORD_BELL_VARIABLE, bell);
	write_one("a");
	EXPECT_EQ(0, rung(bell));
	record_ring();
	EXPECT_EQ(1, rung(bell));
	record_write(json_pack("{s:s}", "type", "rare"));
	EXPECT_EQ(1, rung(bell));
	/* Nobody who is not woken empties the pipe. */
	for (; !rung(bell) && lines < 16; lines++)
		write_one(text);
	EXPECT_LT(1, lines);
	EXPECT_GT(16, lines);
	EXPECT_EQ(0, rung(bell));
	unsetenv(RECORD_BELL_VARIABLE);
	record_ring();
	close(bell);
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0-only
/* Messages as they may come: in pieces, cut off, too long, with too much in hand. */
#include "kselftest_harness.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/client.h"
#include "common/fake_device.h"
#include "nic/frame.h"

FIXTURE(frame)
{
	struct client *client;
	unsigned int descriptors;
};

FIXTURE_SETUP(frame)
{
	self->client = client_new();
	client_greet(self->client);
	self->descriptors = client_descriptors();
	ASSERT_NE(NULL, fake_device());
}

FIXTURE_TEARDOWN(frame)
{
	client_free(self->client);
}

static struct vfio_user_header header(uint32_t size)
{
	return (struct vfio_user_header){
		.id = 77,
		.command = VFIO_USER_DEVICE_RESET,
		.size = size,
	};
}

TEST_F(frame, a_message_may_come_in_pieces)
{
	struct vfio_user_header reset = header(sizeof(reset));
	const char *bytes = (const char *)&reset;

	for (size_t i = 0; i < sizeof(reset); i++) {
		ASSERT_EQ(-EAGAIN, client_read(self->client));
		ASSERT_TRUE(client_write(self->client, bytes + i, 1, NULL, 0));
		ASSERT_TRUE(client_run(self->client));
	}
	ASSERT_EQ(0, client_read(self->client));
	ASSERT_EQ(77, self->client->header.id);
	ASSERT_EQ(VFIO_USER_DEVICE_RESET, self->client->header.command);
	ASSERT_EQ(VFIO_USER_TYPE_REPLY, self->client->header.flags);
	ASSERT_EQ(1, fake_device()->resets);
}

TEST_F(frame, messages_may_come_together)
{
	struct vfio_user_header resets[100];

	for (int i = 0; i < 100; i++)
		resets[i] = header(sizeof(resets[0]));
	ASSERT_TRUE(client_write(self->client, resets, sizeof(resets), NULL, 0));
	ASSERT_TRUE(client_run(self->client));
	ASSERT_TRUE(client_run(self->client));
	ASSERT_EQ(100, fake_device()->resets);
	for (int i = 0; i < 100; i++)
		ASSERT_EQ(0, client_read(self->client));
}

TEST_F(frame, a_header_tells_a_size_that_can_be)
{
	const uint32_t sizes[] = { 0, 1, 15, 16 + FRAME_PAYLOAD + 1, UINT32_MAX };

	for (size_t i = 0; i < 5; i++) {
		struct vfio_user_header bad = header(sizes[i]);

		ASSERT_TRUE(client_write(self->client, &bad, sizeof(bad), NULL, 0));
		ASSERT_FALSE(client_run(self->client));
		ASSERT_EQ(-ECONNRESET, client_read(self->client));
		client_connect(self->client);
		client_greet(self->client);
	}
	ASSERT_EQ(self->descriptors, client_descriptors());
}

TEST_F(frame, a_client_may_die_within_a_message)
{
	struct vfio_user_header reset = header(sizeof(reset) + 100);
	char payload[100] = { 0 };
	int fd = dup(0);

	for (size_t i = 0; i < sizeof(reset); i += 5) {
		ASSERT_TRUE(client_write(self->client, &reset, i + 1, &fd, 1));
		if (i > 10)
			client_write(self->client, payload, 40, NULL, 0);
		ASSERT_TRUE(client_run(self->client));
		close(self->client->socket);
		self->client->socket = -1;
		ASSERT_FALSE(client_run(self->client));
		client_connect(self->client);
		client_greet(self->client);
	}
	close(fd);
	ASSERT_EQ(self->descriptors, client_descriptors());
}

TEST_F(frame, descriptors_that_nobody_wants_are_closed)
{
	struct vfio_user_header reset = header(sizeof(reset));
	int fds[FRAME_FDS];

	for (int i = 0; i < FRAME_FDS; i++)
		fds[i] = self->client->socket;
	ASSERT_TRUE(client_write(self->client, &reset, sizeof(reset), fds,
				 FRAME_FDS));
	ASSERT_TRUE(client_run(self->client));
	ASSERT_EQ(-EINVAL, client_read(self->client));
	ASSERT_EQ(0, fake_device()->resets);
	ASSERT_EQ(self->descriptors, client_descriptors());
}

TEST_F(frame, too_many_descriptors_end_the_connection)
{
	struct vfio_user_header reset = header(sizeof(reset));
	int fds[FRAME_FDS + 1];

	for (int i = 0; i <= FRAME_FDS; i++)
		fds[i] = self->client->socket;
	ASSERT_TRUE(client_write(self->client, &reset, sizeof(reset), fds,
				 FRAME_FDS + 1));
	ASSERT_FALSE(client_run(self->client));
	ASSERT_EQ(self->descriptors - 1, client_descriptors());

	/* The same, bit by bit. */
	client_connect(self->client);
	client_greet(self->client);
	for (int i = 0; i <= FRAME_FDS; i++)
		fds[i] = self->client->socket;
	ASSERT_TRUE(client_write(self->client, &reset, 8, fds, FRAME_FDS));
	ASSERT_TRUE(client_run(self->client));
	ASSERT_TRUE(client_write(self->client, (char *)&reset + 8, 8, fds, 1));
	ASSERT_FALSE(client_run(self->client));
	ASSERT_EQ(self->descriptors - 1, client_descriptors());
}

TEST_F(frame, a_client_that_takes_no_replies_is_heard_no_further)
{
	const struct vfio_user_region_access access = { 0, PCI_BAR_LLQ, FRAME_DATA };
	struct vfio_user_header read = header(sizeof(read) + sizeof(access));
	unsigned int sent = 0, replies = 0;

	read.command = VFIO_USER_REGION_READ;
	while (sent < 100 && client_write(self->client, &read, sizeof(read), NULL, 0) &&
	       client_write(self->client, &access, sizeof(access), NULL, 0)) {
		sent++;
		ASSERT_TRUE(client_run(self->client));
	}
	ASSERT_LT(self->client->function->counters.messages, sent);
	/* All is there once it goes on. */
	while (client_read(self->client) == sizeof(access) + FRAME_DATA) {
		replies++;
		ASSERT_TRUE(client_run(self->client));
	}
	ASSERT_EQ(sent, replies);
}

TEST_F(frame, no_reply_is_sent_where_none_is_wanted)
{
	struct vfio_user_header reset = header(sizeof(reset));

	reset.flags = VFIO_USER_NO_REPLY;
	ASSERT_TRUE(client_write(self->client, &reset, sizeof(reset), NULL, 0));
	reset.command = 99;
	ASSERT_TRUE(client_write(self->client, &reset, sizeof(reset), NULL, 0));
	ASSERT_TRUE(client_run(self->client));
	ASSERT_EQ(-EAGAIN, client_read(self->client));
	ASSERT_EQ(1, fake_device()->resets);
	ASSERT_EQ(1, self->client->function->counters.errors_sent);
}

TEST_F(frame, a_client_that_shuts_its_ear_has_left)
{
	struct vfio_user_header reset = header(sizeof(reset));

	ASSERT_EQ(0, shutdown(self->client->socket, SHUT_RD));
	ASSERT_TRUE(client_write(self->client, &reset, sizeof(reset), NULL, 0));
	ASSERT_FALSE(client_run(self->client));
}

TEST_HARNESS_MAIN

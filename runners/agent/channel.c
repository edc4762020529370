// SPDX-License-Identifier: GPL-2.0-only
#include "agent/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "agent/clock.h"

#define LINE_LIMIT		65536
/* More than a pipe holds. */
#define READS_PER_TURN		16

int channel_open(struct channel *channel)
{
	int ends[2];

	channel->fd = -1;
	if (!line_reader_init(&channel->reader, LINE_LIMIT, NULL, NULL)) {
		errno = ENOMEM;
		return -1;
	}
	if (pipe2(ends, O_CLOEXEC))
		return -1;
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	channel->fd = ends[0];
	return ends[1];
}

void channel_begin(struct channel *channel, line_sink sink, void *context)
{
	channel->reader.sink = sink;
	channel->reader.context = context;
	channel->last_ms = clock_ms();
}

size_t channel_read(struct channel *channel, char data[CHANNEL_READ_SIZE])
{
	ssize_t length;

	if (channel->fd < 0)
		return 0;
	length = read(channel->fd, data, CHANNEL_READ_SIZE);
	if (length > 0) {
		channel->last_ms = clock_ms();
		return length;
	}
	if (length < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	close(channel->fd);
	channel->fd = -1;
	return 0;
}

void channel_drain(struct channel *channel)
{
	char data[CHANNEL_READ_SIZE];
	size_t length;

	for (int i = 0; i < READS_PER_TURN; i++) {
		length = channel_read(channel, data);
		if (!length)
			return;
		line_reader_feed(&channel->reader, data, length);
		/* It was all that there was when it was read. */
		if (length < CHANNEL_READ_SIZE)
			return;
	}
}

void channel_close(struct channel *channel)
{
	if (channel->fd >= 0)
		close(channel->fd);
	channel->fd = -1;
	line_reader_release(&channel->reader);
}

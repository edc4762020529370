/* SPDX-License-Identifier: GPL-2.0-only */
/* What comes through a pipe from a program, line by line. */
#ifndef CTS_AGENT_CHANNEL_H
#define CTS_AGENT_CHANNEL_H

#include "stream/line.h"

#define CHANNEL_READ_SIZE	16384

struct channel {
	int fd;			/* read end; -1 once all was read */
	struct line_reader reader;
	long long last_ms;	/* when something came last */
};

/**
 * channel_open - make the pipe
 * @channel: to be closed with channel_close(), also after a failure
 *
 * Return: the write end, or -1 with errno set.
 */
int channel_open(struct channel *channel);

/**
 * channel_begin - from now on, lines are of another program
 * @sink: called for each line
 * @context: passed to @sink
 */
void channel_begin(struct channel *channel, line_sink sink, void *context);

/**
 * channel_read - what is there, without waiting
 *
 * Return: number of bytes, 0 if there are none.
 */
size_t channel_read(struct channel *channel, char data[CHANNEL_READ_SIZE]);

/* Pass on what is there, up to a bound for who never stops writing. */
void channel_drain(struct channel *channel);

void channel_close(struct channel *channel);

#endif

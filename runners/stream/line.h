/* SPDX-License-Identifier: GPL-2.0-only */
/* Bytes as they come from a pipe, cut into lines of bounded length. */
#ifndef CTS_STREAM_LINE_H
#define CTS_STREAM_LINE_H

#include <stdbool.h>
#include <stddef.h>

/**
 * typedef line_sink - takes one line, or a piece of one
 * @context: the caller's own
 * @text: the bytes, without the newline; not terminated
 * @length: number of bytes
 * @whole: false if no newline followed: the line was longer than the limit, or
 *	   the writer went away in the middle of it
 */
typedef void (*line_sink)(void *context, const char *text, size_t length,
			  bool whole);

struct line_reader {
	char *data;
	size_t length;
	size_t limit;		/* bytes of the longest line passed on whole */
	line_sink sink;
	void *context;
};

/**
 * line_reader_init - start with nothing read
 * @reader: to be released with line_reader_release()
 * @limit: longest line in bytes that is passed on whole
 * @sink: called for each line
 * @context: passed to @sink
 *
 * Return: false if there is no memory.
 */
bool line_reader_init(struct line_reader *reader, size_t limit, line_sink sink,
		      void *context);

/* Take @length more bytes and pass on the lines that they complete. */
void line_reader_feed(struct line_reader *reader, const char *data,
		      size_t length);

/* Nothing more will come: pass on what is left as a piece of a line. */
void line_reader_finish(struct line_reader *reader);

void line_reader_release(struct line_reader *reader);

#endif

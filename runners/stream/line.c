// SPDX-License-Identifier: GPL-2.0-only
#include "stream/line.h"

#include <stdlib.h>
#include <string.h>

bool line_reader_init(struct line_reader *reader, size_t limit, line_sink sink,
		      void *context)
{
	*reader = (struct line_reader){
		.data = malloc(limit),
		.limit = limit,
		.sink = sink,
		.context = context,
	};
	return reader->data;
}

static void pass_on(struct line_reader *reader, bool whole)
{
	size_t length = reader->length;

	reader->length = 0;
	reader->sink(reader->context, reader->data, length, whole);
}

static void keep(struct line_reader *reader, const char *data, size_t length)
{
	while (length) {
		size_t room = reader->limit - reader->length;
		size_t piece = length < room ? length : room;

		memcpy(reader->data + reader->length, data, piece);
		reader->length += piece;
		data += piece;
		length -= piece;
		if (length)
			pass_on(reader, false);
	}
}

void line_reader_feed(struct line_reader *reader, const char *data,
		      size_t length)
{
	const char *end = data + length;

	while (data < end) {
		const char *newline = memchr(data, '\n', end - data);

		if (newline && !reader->length &&
		    (size_t)(newline - data) <= reader->limit) {
			reader->sink(reader->context, data, newline - data,
				     true);
		} else {
			keep(reader, data, (newline ?: end) - data);
			if (!newline)
				return;
			pass_on(reader, true);
		}
		data = newline + 1;
	}
}

void line_reader_finish(struct line_reader *reader)
{
	if (reader->length)
		pass_on(reader, false);
}

void line_reader_release(struct line_reader *reader)
{
	free(reader->data);
	reader->data = NULL;
}

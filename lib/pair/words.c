// SPDX-License-Identifier: GPL-2.0-only
#include "pair/words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static char *read_word(FILE *file)
{
	char *word = NULL;
	size_t size = 0;

	if (getdelim(&word, &size, '\0', file) > 0)
		return word;
	free(word);
	return NULL;
}

bool words_read(FILE *file, struct words *words)
{
	char *count = read_word(file);
	int expected = count ? atoi(count) : -1;

	free(count);
	*words = (struct words){ 0 };
	if (expected >= 0)
		words->vector = calloc(expected + 1UL, sizeof(char *));
	while (words->vector && words->count < expected) {
		words->vector[words->count] = read_word(file);
		if (!words->vector[words->count])
			words_release(words);
		else
			words->count++;
	}
	return words->vector;
}

static int send_all(int fd, const char *text, size_t length)
{
	while (length) {
		ssize_t done = send(fd, text, length, MSG_NOSIGNAL);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		text += done;
		length -= done;
	}
	return 0;
}

int words_write(int fd, const struct words *words)
{
	size_t length;
	char *text;
	FILE *file = open_memstream(&text, &length);
	int ret = -ENOMEM;

	if (!file)
		return ret;
	fprintf(file, "%d%c", words->count, '\0');
	for (int i = 0; i < words->count; i++)
		fprintf(file, "%s%c", words->vector[i], '\0');
	if (!fclose(file))
		ret = send_all(fd, text, length);
	free(text);
	return ret;
}

bool words_equal(const struct words *a, const struct words *b)
{
	if (a->count != b->count)
		return false;
	for (int i = 0; i < a->count; i++)
		if (strcmp(a->vector[i], b->vector[i]))
			return false;
	return true;
}

void words_release(struct words *words)
{
	for (int i = 0; i < words->count; i++)
		free(words->vector[i]);
	free(words->vector);
	*words = (struct words){ 0 };
}

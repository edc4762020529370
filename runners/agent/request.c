// SPDX-License-Identifier: GPL-2.0-only
#include "agent/request.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

static void write_words(FILE *file, char *const *words)
{
	size_t count = 0;

	while (words[count])
		count++;
	fprintf(file, "%zu%c", count, '\0');
	for (size_t i = 0; i < count; i++)
		fprintf(file, "%s%c", words[i], '\0');
}

static int send_all(int to, const char *data, size_t length)
{
	while (length) {
		ssize_t done = send(to, data, length, MSG_NOSIGNAL);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return errno;
		data += done;
		length -= done;
	}
	return 0;
}

int request_send(int to, char *const *arguments, char *const *environment)
{
	size_t length;
	char *request;
	FILE *file = open_memstream(&request, &length);
	int error = ENOMEM;

	if (!file)
		return error;
	write_words(file, arguments);
	write_words(file, environment);
	if (!fclose(file))
		error = send_all(to, request, length);
	free(request);
	return error;
}

bool request_answer(int from, int *status, bool *left)
{
	char text[32];
	ssize_t length = recv(from, text, sizeof(text) - 1, MSG_DONTWAIT);
	int some;

	if (length <= 0)
		return false;
	text[length] = '\0';
	if (sscanf(text, "%d %d", status, &some) != 2)
		return false;
	*left = some;
	return true;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "nic/connection.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "nic/vfio_user.h"

/* Messages of one client before others have their turn. */
#define BATCH	64

struct connection {
	int socket;
	struct function *function;
	bool greeted;
	bool owes_reply;
	struct frame request;
	struct frame reply;
};

struct connection *connection_new(int socket, struct function *function)
{
	struct connection *connection = calloc(1, sizeof(*connection));
	int flags = fcntl(socket, F_GETFL);

	if (!connection || flags < 0 ||
	    fcntl(socket, F_SETFL, flags | O_NONBLOCK)) {
		free(connection);
		close(socket);
		return NULL;
	}
	connection->socket = socket;
	connection->function = function;
	function_connect(function);
	return connection;
}

void connection_free(struct connection *connection)
{
	if (!connection)
		return;
	frame_clear(&connection->request);
	close(connection->socket);
	function_disconnect(connection->function);
	free(connection);
}

int connection_socket(const struct connection *connection)
{
	return connection->socket;
}

short connection_events(const struct connection *connection)
{
	return connection->owes_reply ? POLLOUT : POLLIN;
}

/* Returns 1 if nothing is owed any more, 0 if the client must take it first. */
static int pay(struct connection *connection)
{
	int ret;

	if (!connection->owes_reply)
		return 1;
	ret = frame_send(&connection->reply, connection->socket);
	connection->owes_reply = !ret;
	return ret;
}

/* Returns 1 if a message was dealt with, 0 if none is there. */
static int take(struct connection *connection)
{
	int ret = frame_receive(&connection->request, connection->socket);

	if (ret <= 0)
		return ret;
	connection->owes_reply = vfio_user_handle(connection->function,
						  &connection->greeted,
						  &connection->request,
						  &connection->reply);
	frame_clear(&connection->request);
	return 1;
}

int connection_work(struct connection *connection)
{
	int ret = 1;

	for (int i = 0; ret > 0 && i < BATCH; i++) {
		ret = pay(connection);
		if (ret > 0)
			ret = take(connection);
	}
	if (ret > 0)
		ret = pay(connection);
	return ret < 0 ? ret : 0;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/* One client and its function. */
#ifndef CTS_NIC_CONNECTION_H
#define CTS_NIC_CONNECTION_H

#include "nic/bus.h"

struct connection;

/**
 * connection_new - a client has come
 * @socket: taken over, and made not to block
 * @function: must outlive the connection
 *
 * Return: the connection, or NULL, then with the socket closed.
 */
struct connection *connection_new(int socket, struct function *function);

/** connection_free - end the connection, and tell the function; NULL is allowed */
void connection_free(struct connection *connection);

/** connection_socket - what to wait for events on */
int connection_socket(const struct connection *connection);

/** connection_events - which to wait for: poll()'s POLLIN or POLLOUT */
short connection_events(const struct connection *connection);

/**
 * connection_work - go on with what the socket lets
 *
 * A client that takes no replies is heard no further until it does.
 *
 * Return: 0; or why the connection is to be ended.
 */
int connection_work(struct connection *connection);

#endif

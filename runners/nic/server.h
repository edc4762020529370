/* SPDX-License-Identifier: GPL-2.0-only */
/* The sockets, and who comes to them. */
#ifndef CTS_NIC_SERVER_H
#define CTS_NIC_SERVER_H

#include "nic/options.h"

/**
 * server_run - serve until told to end
 *
 * A socket has its name from the moment when a client can connect to it. A function
 * has one client at a time; when it has left, the next one may come.
 *
 * Return: 0 after SIGTERM, SIGINT or SIGHUP, or when all have left that were to be
 * served once; 1, after a message, if it cannot serve.
 */
int server_run(const struct options *options);

#endif

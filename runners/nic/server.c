// SPDX-License-Identifier: GPL-2.0-only
#include "nic/server.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "nic/connection.h"

/* A function, and the door to it. */
struct port {
	const char *path;
	int listener;
	struct function *function;
	struct connection *connection;	/* NULL: no client is there */
	bool had_client;
};

struct server {
	const struct options *options;
	struct fabric *fabric;
	struct port ports[OPTIONS_SOCKETS];
	size_t nports;
	int signals;
};

static int complain(const char *what, const char *path)
{
	fprintf(stderr, "cts-nic: cannot %s %s: %s\n", what, path,
		strerror(errno));
	return -1;
}

/* A socket may be left over from a server before us; nothing else is ours to remove. */
static bool may_be_replaced(const char *path)
{
	struct stat status;

	if (lstat(path, &status) || S_ISSOCK(status.st_mode))
		return true;
	errno = EEXIST;
	return false;
}

/* Under another name until it listens: whoever sees the socket can connect to it. */
static int listen_at(int listener, const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int length = snprintf(address.sun_path, sizeof(address.sun_path),
			      "%s.new", path);

	if (length >= (int)sizeof(address.sun_path)) {
		errno = ENAMETOOLONG;
		return complain("listen at", path);
	}
	if (!may_be_replaced(path) || !may_be_replaced(address.sun_path))
		return complain("listen at", path);
	unlink(address.sun_path);
	if (bind(listener, (struct sockaddr *)&address, sizeof(address)) ||
	    listen(listener, 1) || rename(address.sun_path, path)) {
		complain("listen at", path);
		unlink(address.sun_path);
		return -1;
	}
	return 0;
}

/* On failure too, there is something to close. */
static int open_port(struct server *server, const char *path)
{
	struct port *port = &server->ports[server->nports];

	port->function = function_new(server->nports, server->fabric,
				      server->options);
	if (!port->function)
		return complain("make the function of", path);
	port->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC,
				0);
	server->nports++;
	if (port->listener < 0)
		return complain("make a socket for", path);
	if (listen_at(port->listener, path))
		return -1;
	port->path = path;
	return 0;
}

static void close_port(struct port *port)
{
	connection_free(port->connection);
	function_free(port->function);
	if (port->listener >= 0)
		close(port->listener);
	if (port->path)
		unlink(port->path);
}

/* SIGPIPE would come of what a client gave us for an eventfd. */
static int watch_signals(void)
{
	sigset_t set;
	int fd;

	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_CLOEXEC);
	return fd < 0 ? complain("watch for", "signals") : fd;
}

/* A second client is turned away at once rather than left waiting. */
static int welcome(struct port *port)
{
	int socket = accept4(port->listener, NULL, NULL, SOCK_CLOEXEC);

	if (socket < 0 && (errno == EAGAIN || errno == ECONNABORTED))
		return 0;
	if (socket < 0)
		return complain("take a client at", port->path);
	if (port->connection) {
		log_line(LOG_EVENT, port->function->name,
			 "another client is turned away");
		close(socket);
		return 0;
	}
	port->connection = connection_new(socket, port->function);
	port->had_client = true;
	return 0;
}

static void serve(struct port *port)
{
	int ret = connection_work(port->connection);

	if (!ret)
		return;
	if (ret != -ECONNRESET)
		log_line(LOG_FAULT, port->function->name,
			 "the connection is ended: %s", strerror(-ret));
	connection_free(port->connection);
	port->connection = NULL;
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

/* Returns the milliseconds until the first device wants its next tick, or -1. */
static int tick(struct server *server)
{
	uint64_t now = now_ns();
	int soonest = -1;

	for (size_t i = 0; i < server->nports; i++) {
		int wanted = device_tick(server->ports[i].function->device, now);

		if (wanted >= 0 && (soonest < 0 || wanted < soonest))
			soonest = wanted;
	}
	return soonest;
}

static bool all_have_left(const struct server *server)
{
	for (size_t i = 0; i < server->nports; i++)
		if (!server->ports[i].had_client || server->ports[i].connection)
			return false;
	return true;
}

/* A descriptor each for signals, doors and clients, in this order. */
static size_t expect(const struct server *server, struct pollfd *events)
{
	size_t count = 0;

	events[count++] = (struct pollfd){ server->signals, POLLIN, 0 };
	for (size_t i = 0; i < server->nports; i++) {
		const struct port *port = &server->ports[i];
		const struct connection *connection = port->connection;

		events[count++] = (struct pollfd){ port->listener, POLLIN, 0 };
		events[count++] = (struct pollfd){
			.fd = connection ? connection_socket(connection) : -1,
			.events = connection ? connection_events(connection) : 0,
		};
	}
	return count;
}

static int dispatch(struct server *server, const struct pollfd *events)
{
	for (size_t i = 0; i < server->nports; i++) {
		struct port *port = &server->ports[i];

		if (events[2 + 2 * i].revents)
			serve(port);
		if (events[1 + 2 * i].revents && welcome(port))
			return -1;
	}
	return 0;
}

static int loop(struct server *server)
{
	struct pollfd events[1 + 2 * OPTIONS_SOCKETS];

	for (;;) {
		size_t count = expect(server, events);

		if (poll(events, count, tick(server)) < 0 && errno != EINTR)
			return complain("wait for events", "of the clients");
		if (events[0].revents)
			return 0;
		if (dispatch(server, events))
			return -1;
		if (server->options->once && all_have_left(server))
			return 0;
	}
}

int server_run(const struct options *options)
{
	struct server server = { .options = options, .fabric = fabric_new() };
	int ret = -1;

	if (!server.fabric)
		return EXIT_FAILURE;
	server.signals = watch_signals();
	if (server.signals < 0)
		goto free_fabric;
	for (size_t i = 0; i < options->nsockets; i++)
		if (open_port(&server, options->sockets[i]))
			goto close_ports;
	ret = loop(&server);
close_ports:
	while (server.nports)
		close_port(&server.ports[--server.nports]);
	close(server.signals);
free_fabric:
	fabric_free(server.fabric);
	return ret ? EXIT_FAILURE : EXIT_SUCCESS;
}

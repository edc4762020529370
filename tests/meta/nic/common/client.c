// SPDX-License-Identifier: GPL-2.0-only
#include "common/client.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define FDS	32

static void need(bool done, const char *what)
{
	if (done)
		return;
	perror(what);
	exit(EXIT_FAILURE);
}

void client_connect(struct client *client)
{
	int room = 4 << 20, ends[2];

	if (client->socket >= 0)
		close(client->socket);
	need(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), "socketpair");
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
	setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
	client->socket = ends[0];
	client->connection = connection_new(ends[1], client->function);
	need(client->connection, "connection_new");
}

struct client *client_new(void)
{
	struct client *client = calloc(1, sizeof(*client));

	need(client, "calloc");
	client->socket = client->fd = -1;
	client->options.controls = controls_initial;
	client->options.api_minor = 3;
	client->fabric = fabric_new();
	client->function = function_new(0, client->fabric, &client->options);
	need(client->fabric && client->function, "function_new");
	client_connect(client);
	return client;
}

void client_free(struct client *client)
{
	connection_free(client->connection);
	function_free(client->function);
	fabric_free(client->fabric);
	close(client->socket);
	if (client->fd >= 0)
		close(client->fd);
	free(client);
}

bool client_write(struct client *client, const void *data, size_t length,
		  const int *fds, size_t nfds)
{
	union {
		struct cmsghdr align;
		char room[CMSG_SPACE(FDS * sizeof(int))];
	} control = { 0 };
	struct iovec part = { (void *)data, length };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };

	if (nfds) {
		message.msg_control = &control;
		message.msg_controllen = CMSG_SPACE(nfds * sizeof(int));
		control.align.cmsg_level = SOL_SOCKET;
		control.align.cmsg_type = SCM_RIGHTS;
		control.align.cmsg_len = CMSG_LEN(nfds * sizeof(int));
		memcpy(CMSG_DATA(&control.align), fds, nfds * sizeof(int));
	}
	return sendmsg(client->socket, &message, MSG_NOSIGNAL) == (ssize_t)length;
}

bool client_run(struct client *client)
{
	if (client->connection && connection_work(client->connection)) {
		connection_free(client->connection);
		client->connection = NULL;
	}
	return client->connection;
}

void client_come_again(struct client *client)
{
	connection_free(client->connection);
	client_connect(client);
	client_greet(client);
}

static void keep_fd(struct client *client, struct msghdr *message)
{
	struct cmsghdr *part = CMSG_FIRSTHDR(message);

	if (client->fd >= 0)
		close(client->fd);
	client->fd = -1;
	if (part && part->cmsg_type == SCM_RIGHTS)
		memcpy(&client->fd, CMSG_DATA(part), sizeof(client->fd));
}

/* What a message of this size lacks; the other side goes on as there is room. */
static bool read_rest(struct client *client, size_t length)
{
	for (size_t done = 0; done < length;) {
		ssize_t bytes = read(client->socket, client->reply + done,
				     length - done);

		if (bytes > 0)
			done += bytes;
		else if (bytes == 0 || !client_run(client))
			return false;
	}
	return true;
}

int client_read(struct client *client)
{
	char control[CMSG_SPACE(FDS * sizeof(int))];
	struct iovec part = { &client->header, sizeof(client->header) };
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	ssize_t bytes = recvmsg(client->socket, &message, MSG_CMSG_CLOEXEC);
	size_t length = client->header.size - sizeof(client->header);

	if (bytes < 0)
		return -errno;
	if (bytes != sizeof(client->header))
		return -ECONNRESET;
	keep_fd(client, &message);
	if (client->header.flags & VFIO_USER_ERROR)
		return -client->header.error;
	return read_rest(client, length) ? (int)length : -ECONNRESET;
}

int client_call(struct client *client, enum vfio_user_command command,
		const void *payload, size_t length, const int *fds, size_t nfds)
{
	struct vfio_user_header header = {
		.id = ++client->id,
		.command = command,
		.size = sizeof(header) + length,
	};
	uint8_t *message = malloc(header.size);
	bool sent;

	need(message, "malloc");
	memcpy(message, &header, sizeof(header));
	if (length)
		memcpy(message + sizeof(header), payload, length);
	sent = client_write(client, message, header.size, fds, nfds);
	free(message);
	if (!sent)
		return -EPIPE;
	client_run(client);
	return client_read(client);
}

void client_greet(struct client *client)
{
	const char hello[] = "\0\0\0\0{\"capabilities\":{}}";

	need(client_call(client, VFIO_USER_VERSION, hello, sizeof(hello), NULL, 0) > 0,
	     "greeting");
}

int client_region(struct client *client, bool write, uint32_t region,
		  uint64_t offset, void *data, uint32_t count)
{
	const struct vfio_user_region_access access = { offset, region, count };
	uint8_t *message = malloc(sizeof(access) + count);
	int ret;

	need(message, "malloc");
	memcpy(message, &access, sizeof(access));
	if (write)
		memcpy(message + sizeof(access), data, count);
	ret = client_call(client, write ? VFIO_USER_REGION_WRITE :
			  VFIO_USER_REGION_READ, message,
			  sizeof(access) + (write ? count : 0), NULL, 0);
	free(message);
	if (ret >= 0 && !write)
		memcpy(data, client->reply + sizeof(access), count);
	return ret;
}

int client_map(struct client *client, uint64_t address, uint64_t size, int fd,
	       uint32_t flags)
{
	const struct vfio_user_dma_map map = {
		.argsz = sizeof(map),
		.flags = flags,
		.address = address,
		.size = size,
	};

	return client_call(client, VFIO_USER_DMA_MAP, &map, sizeof(map), &fd,
			   fd >= 0);
}

int client_unmap(struct client *client, uint64_t address, uint64_t size,
		 uint32_t flags)
{
	const struct vfio_user_dma_unmap unmap = {
		.argsz = sizeof(unmap),
		.flags = flags,
		.address = address,
		.size = size,
	};

	return client_call(client, VFIO_USER_DMA_UNMAP, &unmap, sizeof(unmap),
			   NULL, 0);
}

unsigned int client_descriptors(void)
{
	DIR *folder = opendir("/proc/self/fd");
	unsigned int count = 0;

	need(folder, "/proc/self/fd");
	while (readdir(folder))
		count++;
	closedir(folder);
	return count;
}
